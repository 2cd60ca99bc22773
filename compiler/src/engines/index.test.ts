import { REPLAY_FLAGS } from "@stepproof/runtime/manifest";
import { describe, expect, it } from "vitest";
import { ENGINES, engineOfModule } from "./index.js";

describe("engine profiles", () => {
  it("are chosen by the import, subpaths included, and by nothing that merely looks like it", () => {
    expect(engineOfModule("rivetkit")?.name).toBe("rivetkit-2");
    expect(engineOfModule("rivetkit/workflow")?.name).toBe("rivetkit-2");
    expect(engineOfModule("@rivet-dev/workflows")?.name).toBe("rivet-workflows-1");
    expect(engineOfModule("@stepproof/runtime")?.name).toBe("stepproof");
    expect(engineOfModule("@stepproof/runtime/testing")?.name).toBe("stepproof");
    expect(engineOfModule("rivetkit-extras")).toBeNull();
    expect(engineOfModule("workflow")).toBeNull();
  });

  it("claim no package twice, and each has replay flags of its name", () => {
    const modules = Object.values(ENGINES).flatMap((profile) => profile.modules);
    expect(new Set(modules).size).toBe(modules.length);
    for (const [name, profile] of Object.entries(ENGINES)) {
      expect(profile.name).toBe(name);
      expect(REPLAY_FLAGS[profile.name]).toBeDefined();
    }
  });

  it("have entry methods on every workflow context and on no other", () => {
    for (const profile of Object.values(ENGINES)) {
      for (const kind of ["workflow", "loop", "branch", "try"] as const) {
        expect(profile.contexts[kind]["step"]?.is).toBe("entry");
      }
      for (const kind of ["step", "rollback", "actor"] as const) {
        const entries = Object.values(profile.contexts[kind]).filter((member) => member.is === "entry");
        expect(entries).toEqual([]);
      }
    }
  });

  it("tell actor APIs from what is allowed in workflow code", () => {
    const { workflow, step, rollback } = ENGINES.stepproof.contexts;
    for (const name of ["state", "vars", "db", "kv", "client", "broadcast", "conns", "schedule"]) {
      expect(workflow[name]?.is, name).toBe("actor");
      expect(step[name]?.is, name).toBe("actor");
      expect(rollback[name], name).toBeUndefined();
    }
    for (const name of ["log", "key", "name", "actorId"]) expect(workflow[name]?.is, name).toBe("stable");
  });

  it("give rivetkit 2 rollback handlers the step context that it hands them", () => {
    expect(ENGINES["rivetkit-2"].contexts.rollback["client"]?.is).toBe("actor");
    expect(ENGINES["rivet-workflows-1"].contexts.rollback["client"]).toBeUndefined();
  });

  it("know the argument of workflow() as a function for rivetkit and as a config for the others", () => {
    const zonesAt = (name: keyof typeof ENGINES): string[] => {
      const row = ENGINES[name].exports["workflow"];
      if (row?.is !== "definition") throw new Error("workflow is a definition");
      return row.callbacks
        .filter((callback) => callback.zone === "workflow")
        .map((callback) => callback.at.join("."));
    };
    expect(zonesAt("rivetkit-2")).toEqual(["0"]);
    expect(zonesAt("rivet-workflows-1")).toEqual(["0.run", "0"]);
    expect(zonesAt("stepproof")).toEqual(["0.run", "0"]);
  });

  it("hold the defaults of the step options", () => {
    const step = ENGINES["rivetkit-2"].options["step"];
    expect(step?.["timeout"]?.default).toBe(30_000);
    expect(step?.["maxRetries"]?.default).toBe(3);
    expect(ENGINES.stepproof.options["loop"]?.["historyPruneInterval"]?.default).toBe(20);
  });
});
