import type ts from "typescript";
import { parseSourceUnit, type SourceUnit } from "./source-unit.js";

/**
 * What one look at a project leaves for the next in the same process: the trees of the texts that did not change,
 * bound if the type checker was asked. It never makes a result another one; without it all is parsed anew.
 */
export class ProjectMemory {
  private before = new Map<string, SourceUnit>();
  private now = new Map<string, SourceUnit>();
  private options = "";
  private readonly open = new Set<() => void>();

  /** A look begins: what the one before last used and the last did not is forgotten, and its processes end. */
  begin(options: ts.CompilerOptions): void {
    for (const close of this.open) close();
    this.open.clear();
    const written = JSON.stringify(options);
    // Trees are bound under the options.
    this.before = written === this.options ? this.now : new Map();
    this.now = new Map();
    this.options = written;
  }

  /** Calls `close` when the next look begins: nobody asks this one any more. */
  closeAfter(close: () => void): void {
    this.open.add(close);
  }

  /** The tree of a text: the one of before if the text is the same. */
  parse(path: string, text: string): SourceUnit {
    const known = this.before.get(path);
    const unit = known?.text === text ? known : parseSourceUnit(path, text);
    this.now.set(path, unit);
    return unit;
  }
}
