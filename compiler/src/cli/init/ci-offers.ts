import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileOffer, type Offer } from "./offer.js";
import { GITHUB, GITLAB, SHELL } from "./templates.js";

/** Where the checks are to run. */
export type CiChoice = "github" | "gitlab" | "shell" | "none";

/** Files of CI services that run any command: they get the shell script. */
const OTHER_SERVICES = [
  ".circleci",
  ".travis.yml",
  ".woodpecker.yml",
  "Jenkinsfile",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  ".ci",
];

const SHOWN = { shownIn: "docs/ci.md" } as const;

/** The CI file for what the project has: GitLab, another service, else GitHub. */
export function ciOffers(folder: string, given: CiChoice | undefined): Offer[] {
  switch (given ?? choiceFor(folder)) {
    case "gitlab":
      return existsSync(join(folder, ".gitlab-ci.yml"))
        ? [
            fileOffer(
              folder,
              ".gitlab/stepproof.yml",
              "a GitLab job; name it in .gitlab-ci.yml: include: { local: .gitlab/stepproof.yml }",
              GITLAB,
              SHOWN,
            ),
          ]
        : [
            fileOffer(
              folder,
              ".gitlab-ci.yml",
              "a GitLab pipeline that checks every merge request",
              GITLAB,
              SHOWN,
            ),
          ];
    case "shell":
      return [
        fileOffer(
          folder,
          "scripts/stepproof-ci.sh",
          "the checks as a script, for any CI: sh scripts/stepproof-ci.sh",
          SHELL,
          SHOWN,
        ),
      ];
    case "github":
      return [
        fileOffer(
          folder,
          ".github/workflows/stepproof.yml",
          "a GitHub workflow that checks every pull request",
          GITHUB,
          SHOWN,
        ),
      ];
    case "none":
      return [];
  }
}

function choiceFor(folder: string): CiChoice {
  const has = (path: string): boolean => existsSync(join(folder, path));
  if (has(".github")) return "github";
  if (has(".gitlab-ci.yml") || has(".gitlab") || isOnGitlab(folder)) return "gitlab";
  return OTHER_SERVICES.some(has) ? "shell" : "github";
}

function isOnGitlab(folder: string): boolean {
  const config = join(folder, ".git", "config");
  return existsSync(config) && /^\s*url\s*=.*gitlab/m.test(readFileSync(config, "utf8"));
}
