import { packages, pure, purePackages, rows, type RowGroup } from "../rows.js";

const TIMER = "it waits on the timers of this process, which are lost with it";
const HEARD = "whoever listens hears it again on every replay";
const SIDE_BY_SIDE = "it runs the functions that it is given side by side";
const CALLS = { calls: "all" } as const;
const TOGETHER = { calls: "all", together: true } as const;

/** Flow control around promises, emitters, observables. */
export const CONTROL: readonly RowGroup[] = [
  ...purePackages(
    "p-limit p-series p-pipe p-each-series p-map-series p-try p-reflect p-is-promise promise.allsettled fastq",
  ),
  ...packages("pure", SIDE_BY_SIDE, "p-map p-all p-props p-filter p-settle p-times p-queue", TOGETHER),
  ...pure("p-limit#", "default", { returns: "p-limit#Limiter" }),
  ...rows("p-limit#", "pure", SIDE_BY_SIDE, "Limiter.*", TOGETHER),
  ...packages("pure", SIDE_BY_SIDE, "@supercharge/promise-pool", {
    ...TOGETHER,
    returns: "@supercharge/promise-pool#PromisePool",
  }),
  ...[
    "p-retry",
    "async-retry",
    "promise-retry",
    "exponential-backoff",
    "ts-retry",
    "ts-retry-promise",
    "@lifeomic/attempt",
    "retry",
    "backoff",
    "poll",
    "p-wait-for",
    "p-timeout",
    "promise-timeout",
    "p-throttle",
    "p-debounce",
    "p-min-delay",
    "delay",
    "sleep-promise",
    "bottleneck",
    "throttled-queue",
    "limiter",
    "cockatiel",
    "opossum",
    "await-sleep",
  ].flatMap((module) => rows(`${module}#`, "timer", TIMER, "*", { ...CALLS, async: true })),
  ...pure("p-retry#", "AbortError"),
  ...pure("p-timeout#", "TimeoutError"),
  ...rows("async#", "timer", TIMER, "retry retryable timeout", { ...CALLS, async: true }),
  ...rows(
    "async#",
    "timer",
    "it runs after the workflow code has gone on",
    "nextTick setImmediate ensureAsync",
  ),
  ...rows(
    "async#",
    "pure",
    SIDE_BY_SIDE,
    "each eachLimit forEach forEachLimit eachOf eachOfLimit map mapLimit parallel parallelLimit filter filterLimit auto times timesLimit race concat",
    TOGETHER,
  ),
  ...pure("async#", "*", CALLS),
  ...rows("bluebird#", "timer", TIMER, "delay Promise.delay default.delay *.delay *.timeout", {
    async: true,
  }),
  ...rows(
    "bluebird#",
    "pure",
    SIDE_BY_SIDE,
    "*.map *.filter *.props *.all *.some *.any map filter props all",
    TOGETHER,
  ),
  ...pure("bluebird#", "*", CALLS),
  ...rows(
    "rxjs#",
    "timer",
    TIMER,
    "interval timer animationFrames debounceTime throttleTime auditTime sampleTime bufferTime windowTime delay delayWhen timeout timeoutWith asyncScheduler.* asapScheduler.*",
  ),
  ...rows("rxjs#", "clock", "it asks the clock", "timestamp timeInterval now"),
  ...rows(
    "rxjs#",
    "emitter",
    HEARD,
    "fromEvent fromEventPattern Subject.next BehaviorSubject.next ReplaySubject.next",
  ),
  ...rows("rxjs/ajax#", "network", "it sends a request again on every replay", "*", { async: true }),
  ...rows("rxjs/fetch#", "network", "it sends a request again on every replay", "*", { async: true }),
  ...rows("rxjs/webSocket#", "network", "a connection lives in one process", "*", { async: true }),
  ...pure("rxjs#", "*", CALLS),
  ...packages(
    "emitter",
    HEARD,
    "eventemitter3 eventemitter2 mitt nanoevents emittery tiny-emitter typed-emitter component-emitter tseep p-event",
  ),
  ...["eventemitter3", "eventemitter2", "emittery", "tiny-emitter", "mitt"].flatMap((module) => [
    ...pure(`${module}#`, "*", { when: { form: "new" } }),
  ]),
  ...pure("mitt#", "default", { returns: "mitt#Emitter" }),
  ...pure("nanoevents#", "createNanoEvents", { returns: "nanoevents#Emitter" }),
  ...packages(
    "memory",
    "the store belongs to this process",
    "zustand redux @reduxjs/toolkit mobx jotai valtio recoil nanostores xstate effector pinia vuex cls-hooked cls-rtracer",
  ),
];
