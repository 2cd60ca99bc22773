import { packages, pure, purePackages, rows, type RowGroup } from "../rows.js";

const ENV = "the environment differs between machines and deploys";
const CLI = "the command line differs between runs";
const PROMPT = "it asks whoever sits at this process";

/** Configuration, command line, frameworks. */
export const CONFIG: readonly RowGroup[] = [
  ...packages(
    "environment",
    ENV,
    "dotenv dotenv-expand dotenv-flow dotenv-safe @dotenvx/dotenvx config convict env-var envalid nconf rc cosmiconfig lilconfig c12 node-config-ts @t3-oss/env-core @t3-oss/env-nextjs znv @julr/vite-plugin-validate-env app-root-path find-config env-schema",
  ),
  ...pure("dotenv#", "parse"),
  ...packages(
    "environment",
    CLI,
    "yargs commander meow cac sade clipanion @oclif/core arg citty caporal gluegun vorpal",
  ),
  ...pure("yargs-parser#", "*"),
  ...pure("minimist#", "*"),
  ...pure("mri#", "*"),
  ...packages(
    "host",
    PROMPT,
    "inquirer @inquirer/prompts prompts enquirer @clack/prompts readline-sync blessed ink",
  ),
  ...purePackages(
    "chalk picocolors kleur colorette ansi-colors ansi-styles cli-table3 table columnify boxen figures log-symbols figlet gradient-string text-table terminal-link",
  ),

  ...pure(
    "graphql#",
    "parse print visit validate buildSchema buildASTSchema printSchema GraphQLObjectType GraphQLSchema GraphQLError *",
  ),
  ...purePackages(
    "graphql-tag @graphql-tools/schema @graphql-tools/merge graphql-scalars type-graphql @trpc/server",
  ),
  ...purePackages(
    "react react-dom/server preact preact-render-to-string vue svelte solid-js lit lit-html @vue/server-renderer clsx classnames tailwind-merge class-variance-authority prop-types react-is  ",
  ),
  ...rows(
    "react#",
    "memory",
    "a hook belongs to a component that is shown",
    "useState useEffect useReducer useRef useContext useMemo useCallback useLayoutEffect useTransition useSyncExternalStore useActionState useOptimistic use",
  ),
  ...rows("react#", "id", "it makes another id", "useId"),
  ...packages(
    "host",
    "it belongs to the request that is being answered",
    "next/headers next/server next/navigation next/router",
  ),
  ...pure(
    "next/server#",
    "NextResponse NextResponse.json NextResponse.redirect NextResponse.next NextRequest",
  ),
  ...packages("network", "the cache of the site is changed again on every replay", "next/cache"),
  ...packages(
    "host",
    "it runs in, or asks, the framework's own process",
    "next @nestjs/core @nestjs/platform-express @remix-run/node nuxt nitropack vite webpack rollup esbuild electron",
  ),
  ...purePackages("@nestjs/common reflect-metadata inversify tsyringe typedi awilix @nestjs/swagger"),
  ...rows("@nestjs/common#", "console", "it prints again on every replay", "Logger.*"),
  ...packages(
    "process",
    "it runs tests",
    "vitest jest mocha ava @jest/globals chai sinon nock msw supertest",
  ),
];
