import { clients, packages, rows, type RowGroup } from "../rows.js";

const LOG = "it writes the line again on every replay";
const REPORT = "it is reported again on every replay";
const FLAG = "a flag can be switched between two runs";

/** Loggers, error reporting, metrics, analytics, feature flags. */
export const LOGGERS: readonly RowGroup[] = [
  ...clients(
    "console",
    LOG,
    "pino winston bunyan log4js loglevel debug consola signale npmlog roarr tslog @logtape/logtape winston-daily-rotate-file pino-http morgan fancy-log loglayer diary ulog adze @google-cloud/logging-winston electron-log evlog",
    "default createLogger getLogger create child createConsola format.* format transports.* stdTimeFunctions.* stdSerializers.* withContext getChild",
    { async: false },
  ),
  // A child prints nothing by being made. It is a logger of its own, as its parent is.
  ...["pino", "winston", "bunyan", "tslog", "consola", "loglevel", "log4js"].flatMap((module) =>
    rows(
      `${module}#`,
      "pure",
      "a logger that is made prints nothing yet",
      "*.child *.getSubLogger *.withTag *.getLogger *.addContext",
      {
        returns: `${module}#Client`,
      },
    ),
  ),
  ...packages(
    "console",
    "it prints again on every replay",
    "ora cli-progress log-update listr listr2 progress cli-spinners nanospinner update-notifier",
  ),
  ...clients(
    "metrics",
    REPORT,
    "@sentry/* raven rollbar @bugsnag/js @bugsnag/node @honeybadger-io/js airbrake @airbrake/node raygun newrelic applicationinsights elastic-apm-node @appsignal/nodejs dd-trace @datadog/browser-logs @highlight-run/node logrocket",
    "",
    { async: false },
  ),
  ...clients(
    "metrics",
    REPORT,
    "prom-client hot-shots node-statsd statsd-client lynx @datadog/datadog-api-client datadog-metrics appmetrics @opentelemetry/*  ",
    "",
    { async: false },
  ),
  ...clients(
    "metrics",
    REPORT,
    "posthog-node posthog-js mixpanel @segment/analytics-node analytics-node @amplitude/analytics-node amplitude-js @rudderstack/rudder-sdk-node @vercel/analytics keen-js    ",
    "init",
  ),
  // These put the event into a buffer and give nothing to wait for.
  ...[
    ["posthog-node", "*.capture *.identify *.alias *.groupIdentify *.captureException"],
    ["posthog-js", "*.capture *.identify *.alias *.group *.register *.captureException"],
    ["mixpanel", "*.track *.people.set *.people.increment"],
    ["@segment/analytics-node", "*.track *.identify *.page *.group *.alias"],
    ["analytics-node", "*.track *.identify *.page *.group *.alias"],
    ["@vercel/analytics", "track inject"],
  ].flatMap(([module = "", names = ""]) => rows(`${module}#`, "metrics", REPORT, names)),
  ...["posthog-node", "posthog-js"].flatMap((module) =>
    [
      "isFeatureEnabled",
      "getFeatureFlag",
      "getAllFlags",
      "getFeatureFlagPayload",
      "getFeatureFlagResult",
    ].flatMap((method) => rows(`${module}#`, "environment", FLAG, `*.${method}`, { async: true })),
  ),
  ...clients(
    "environment",
    FLAG,
    "launchdarkly-node-server-sdk @launchdarkly/node-server-sdk launchdarkly-js-client-sdk statsig-node @statsig/statsig-node-core unleash-client flagsmith-nodejs @openfeature/server-sdk @growthbook/growthbook configcat-node @configcat/sdk @optimizely/optimizely-sdk @splitsoftware/splitio @happykit/flags flags @vercel/flags @devcycle/nodejs-server-sdk @flipt-io/flipt hypertune",
    "init initialize getClient",
  ),
  // These answer from what the client holds; `await` is neither needed nor wrong.
  ...[
    ["unleash-client", "*.isEnabled *.getVariant isEnabled getVariant"],
    ["@growthbook/growthbook", "*.isOn *.isOff *.getFeatureValue *.evalFeature *.run"],
    [
      "@statsig/statsig-node-core",
      "*.checkGate *.getFeatureGate *.getDynamicConfig *.getExperiment *.getLayer",
    ],
    ["statsig-node", "*.checkGateSync *.getConfigSync *.getExperimentSync *.getLayerSync"],
    ["@splitsoftware/splitio", "*.getTreatment *.getTreatments *.getTreatmentWithConfig"],
    ["@optimizely/optimizely-sdk", "*.isFeatureEnabled *.decide *.getVariation *.getEnabledFeatures"],
    ["@happykit/flags", "*.useFlags"],
  ].flatMap(([module = "", names = ""]) => rows(`${module}#`, "environment", FLAG, names)),
  ...["@sentry/*", "dd-trace", "newrelic"].flatMap((module) =>
    rows(
      `${module}#`,
      "metrics",
      REPORT,
      "startSpan startSpanManual withScope withIsolationScope withMonitor continueTrace startBackgroundTransaction startSegment *.trace",
      { calls: "all" },
    ),
  ),
  ...rows(
    "@opentelemetry/api#",
    "pure",
    "a tracer or meter that is asked for reports nothing yet",
    "trace.getTracer *.getTracer",
    {
      returns: "@opentelemetry/api#Tracer",
    },
  ),
  ...rows(
    "@opentelemetry/api#",
    "pure",
    "a tracer or meter that is asked for reports nothing yet",
    "metrics.getMeter *.getMeter",
    {
      returns: "@opentelemetry/api#Meter",
    },
  ),
  ...rows(
    "@opentelemetry/api#",
    "pure",
    "an instrument that is made counts nothing yet",
    "Meter.createCounter Meter.createHistogram Meter.createGauge Meter.createUpDownCounter",
    { returns: "@opentelemetry/api#Instrument" },
  ),
  ...rows("@opentelemetry/api#", "metrics", REPORT, "Tracer.startActiveSpan", { calls: "all" }),
  ...rows("@opentelemetry/api#", "metrics", REPORT, "Tracer.startSpan", {
    returns: "@opentelemetry/api#Span",
  }),
  ...rows("@opentelemetry/api#", "pure", "it runs its callback in place", "context.with", { calls: "all" }),
];
