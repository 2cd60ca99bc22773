/** What `stepproof init` writes; docs/ci.md shows the CI files (held by test/docs). */

export const CONFIG = `import { defineConfig } from "stepproof";

export default defineConfig({
  // Severity by rule: "error", "warning" or "off". All rules: npx stepproof explain
  rules: {},
  // Functions that are pure although they do not look it: "package#export", "./src/file.ts#export".
  pure: [],
});
`;

export const GITHUB = `name: stepproof
on:
  pull_request:
  push:
    branches: [main]
jobs:
  workflows:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0 # the diff reads the manifest of the base branch
      - uses: actions/setup-node@v5
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - name: Workflows replay
        run: npx stepproof check --format github --max-warnings 0
      - name: The committed manifest is up to date
        run: npx stepproof manifest --check
      - name: The deploy breaks no running instance
        if: github.event_name == 'pull_request'
        run: |
          npx stepproof diff "git:origin/$BASE" --format markdown >> "$GITHUB_STEP_SUMMARY" || true
          npx stepproof diff "git:origin/$BASE" --format github
        env:
          BASE: \${{ github.base_ref }}
`;

export const GITLAB = `stepproof:
  image: node:22
  variables:
    GIT_DEPTH: 0 # the diff reads the manifest of the target branch
  script:
    - npm ci
    - npx stepproof check --max-warnings 0
    - npx stepproof manifest --check
    - if [ -n "$CI_MERGE_REQUEST_DIFF_BASE_SHA" ]; then npx stepproof diff "git:$CI_MERGE_REQUEST_DIFF_BASE_SHA"; fi
`;

export const SHELL = `#!/bin/sh
# Fails when a workflow would not replay, or when this version would break running instances.
set -e
npx stepproof check --max-warnings 0
npx stepproof manifest --check
npx stepproof diff "git:\${1:-origin/main}"
`;

/** An ESLint config for a project that has none. */
export const ESLINT = `import stepproof from "eslint-plugin-stepproof";
import tseslint from "typescript-eslint";

export default [
  // They are in no tsconfig, so they have no types.
  { ignores: ["*.config.*"] },
  {
    files: ["**/*.{ts,tsx,mts,cts}"],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
  },
  stepproof.configs.recommended,
];
`;

/** What to add to an ESLint config that can't be edited safely. */
export const ESLINT_LINES = `import stepproof from "eslint-plugin-stepproof";
stepproof.configs.recommended   in the list that is exported`;

/** What to add to a tsconfig that can't be edited safely. */
export const TSCONFIG_LINES = `"plugins": [{ "name": "stepproof/language-service", "transform": "stepproof/transformer", "transformProgram": true }]
in "compilerOptions"`;
