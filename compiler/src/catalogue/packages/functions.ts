import { pure, purePackages, rows, type RowGroup } from "../rows.js";

const RANDOM = "it picks something else on every replay";
const TIMER = "it runs on the timers of this process";
const COUNTER = "it counts up in this process";
const CALLS = { calls: "all" } as const;

const LODASH_IN_PLACE =
  "assign assignIn assignWith assignInWith extend extendWith merge mergeWith defaults defaultsDeep set setWith unset " +
  "update updateWith pull pullAll pullAllBy pullAllWith pullAt remove fill reverse";

/** Collections of small functions: mostly pure, with a few that are not. */
export const FUNCTIONS: readonly RowGroup[] = [
  ...["lodash", "underscore"].flatMap((module) => [
    ...rows(`${module}#`, "random", RANDOM, "random sample sampleSize shuffle"),
    ...rows(`${module}#`, "clock", "it asks the clock", "now"),
    ...rows(`${module}#`, "memory", COUNTER, "uniqueId"),
    ...rows(`${module}#`, "timer", TIMER, "debounce throttle delay defer"),
    ...pure(`${module}#`, LODASH_IN_PLACE, { ...CALLS, mutates: 0 }),
    ...pure(`${module}#`, "default chain", { returns: `${module}#Wrapper` }),
    ...rows(`${module}#Wrapper.`, "random", RANDOM, "random sample sampleSize shuffle"),
    ...pure(`${module}#Wrapper.`, "*", { ...CALLS, returns: "this" }),
    ...pure(`${module}#`, "*", CALLS),
  ]),
  ...["random", "sample", "samplesize", "shuffle"].flatMap((name) =>
    rows(`lodash.${name}#`, "random", RANDOM, "*"),
  ),
  ...["debounce", "throttle", "delay", "defer"].flatMap((name) =>
    rows(`lodash.${name}#`, "timer", TIMER, "*"),
  ),
  ...rows("lodash.uniqueid#", "memory", COUNTER, "*"),
  ...purePackages(
    "get set has map filter reduce groupby keyby sortby orderby uniq uniqby chunk clonedeep merge mergewith isequal isempty isplainobject pick omit camelcase snakecase kebabcase startcase flatten flattendeep partition zip template"
      .split(" ")
      .map((name) => `lodash.${name}`)
      .join(" "),
  ),
  ...rows("remeda#", "random", RANDOM, "randomInteger randomBigInt randomString sample shuffle"),
  ...rows("remeda#", "timer", TIMER, "debounce funnel"),
  ...pure("remeda#", "*", CALLS),
  ...rows("radash#", "random", RANDOM, "random shuffle draw uid"),
  ...rows("radash#", "timer", TIMER, "sleep retry debounce throttle", { ...CALLS, async: true }),
  ...pure("radash#", "*", CALLS),
  ...rows("es-toolkit#", "random", RANDOM, "random randomInt sample sampleSize shuffle"),
  ...rows("es-toolkit#", "timer", TIMER, "delay timeout withTimeout debounce throttle retry", {
    ...CALLS,
    async: true,
  }),
  ...rows("es-toolkit#", "memory", COUNTER, "uniqueId"),
  ...pure("es-toolkit#", "*", CALLS),
  ...rows("moderndash#", "random", RANDOM, "randomElem randomFloat randomInt randomString shuffle sample"),
  ...rows("moderndash#", "timer", TIMER, "sleep debounce throttle timeout retry", { ...CALLS, async: true }),
  ...pure("moderndash#", "*", CALLS),
  ...rows("fp-ts#", "random", RANDOM, "Random.* random randomInt randomRange randomBool"),
  ...rows("fp-ts/Random#", "random", RANDOM, "*"),
  ...rows("fp-ts/Date#", "clock", "it asks the clock", "now create"),
  ...rows("fp-ts/Console#", "console", "it prints again on every replay", "*"),
  ...pure("fp-ts#", "*", CALLS),
  ...rows("d3-array#", "random", RANDOM, "shuffle"),
  ...pure("d3-array#", "*", CALLS),
  ...rows("mathjs#", "random", RANDOM, "random randomInt pickRandom distribution"),
  ...pure("mathjs#", "*", CALLS),
  ...["decimal.js", "bignumber.js"].flatMap((module) => [
    ...rows(`${module}#`, "random", RANDOM, "random Decimal.random BigNumber.random default.random"),
    ...pure(`${module}#`, "*"),
  ]),
  ...rows("immer#", "pure", "it changes a copy", "produce", { calls: [1] }),
  ...rows(
    "immer#",
    "pure",
    "it changes a copy",
    "produceWithPatches createDraft finishDraft current original isDraft isDraftable freeze enableMapSet enablePatches setAutoFreeze applyPatches castDraft castImmutable nothing",
  ),

  ...purePackages(
    "ramda rambda rambdax immutable immutability-helper neverthrow ts-results true-myth purify-ts ts-pattern fp-ts-std option-t oxide.ts",
  ),
  ...purePackages(
    "tslib @babel/runtime core-js core-js-pure regenerator-runtime invariant tiny-invariant ts-invariant assert-never ts-essentials type-fest utility-types ts-toolbelt",
  ),
  ...purePackages(
    "deepmerge deepmerge-ts defu fast-deep-equal deep-equal dequal clone rfdc klona just-clone fast-copy clone-deep just-diff deep-diff deep-object-diff microdiff diff jsondiffpatch fast-json-patch json-merge-patch",
  ),
  ...purePackages(
    "dot-prop object-path just-safe-get flat unflatten camelcase camelcase-keys snakecase-keys change-case humps slugify @sindresorhus/slugify pluralize he html-entities entities escape-html escape-string-regexp strip-ansi wrap-ansi string-width title-case natural-compare natural-orderby fast-sort array-move p-reduce indent-string dedent ts-dedent outdent common-tags",
  ),
  ...purePackages(
    "qs query-string url-join normalize-url is-url picomatch minimatch micromatch multimatch semver compare-versions bytes filesize pretty-bytes numeral big.js big-integer fraction.js dinero.js currency.js money-math accounting simple-statistics ml-matrix d3-scale d3-shape colord tinycolor2 color color-convert chroma-js",
  ),
  ...purePackages(
    "memoize-one reselect mnemonist heap-js priorityqueuejs graphlib @dagrejs/graphlib toposort fuse.js fast-levenshtein leven string-similarity natural stopword franc tldts psl parse-domain ua-parser-js bowser mime mime-types accept-language-parser negotiator ip-address ipaddr.js is-ip cidr-tools geolib haversine @turf/turf ngeohash h3-js",
  ),
];
