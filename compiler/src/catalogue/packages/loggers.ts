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
];
