import { sourceOf } from "./program/source.js";
import type { Block } from "./program/tree.js";
import { describeSchedule, type Schedule } from "../../runtime/src/testing/schedule.js";

/** A program as people read it. */
export function showProgram(program: Block): string {
  const files = [...sourceOf(program)].filter(([name]) => name !== "world.ts");
  return files.map(([name, text]) => `// ${name}\n${text}`).join("\n");
}

export function showSchedule(schedule: Schedule): string {
  return describeSchedule(schedule)
    .map((line, index) => `${index + 1}. ${line}`)
    .join("\n");
}
