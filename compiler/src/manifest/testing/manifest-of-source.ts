import { createFactsSource } from "../../1-collect/facts-source.js";
import { solve } from "../../2-solve/solve.js";
import { BUILT_IN_ROWS, createCatalogue } from "../../catalogue/index.js";
import { ENGINES, engineOfModule } from "../../engines/index.js";
import { openProject } from "../../host/open-project.js";
import type { Manifest } from "../../../../runtime/src/manifest/index.js";
import { manifestOf } from "../manifest-of.js";

const catalogue = createCatalogue(BUILT_IN_ROWS);

/** The manifest of files that exist only in memory, for tests. `root`: where they lie. */
export function manifestOfSource(files: string | Readonly<Record<string, string>>, root = "/app"): Manifest {
  const named = typeof files === "string" ? { "main.ts": files } : files;
  const overlay = new Map(Object.entries(named).map(([name, text]) => [`${root}/${name}`, text]));
  const host = openProject({
    cwd: root,
    paths: [...overlay.keys()],
    overlay,
    engineModules: Object.values(ENGINES).flatMap((engine) => engine.modules),
  });
  const analysis = solve(createFactsSource(host), {
    catalogue,
    engineOfModule,
    defaultEngine: ENGINES.stepproof,
  });
  return manifestOf(analysis, { root, tool: "test" });
}
