import { packages, pure, purePackages, rows, type RowGroup } from "../rows.js";

const NOW = "it asks the clock, which says something else on every replay";
const DEFAULT_NOW = "without a date it takes the present time";
const ZONE = "it depends on the time zone of the machine";
const LOCALE = "without a locale it takes the machine's own";
const NONE_GIVEN = { lacks: [0] } as const;

const DATE_FNS_NOW =
  "isToday isTomorrow isYesterday isThisHour isThisISOWeek isThisMinute isThisMonth isThisQuarter isThisSecond " +
  "isThisWeek isThisYear isFuture isPast formatDistanceToNow formatDistanceToNowStrict startOfToday startOfTomorrow " +
  "startOfYesterday endOfToday endOfTomorrow endOfYesterday constructNow";
const UNITS = "Day Week ISOWeek Month Quarter Year ISOWeekYear WeekYear Decade".split(" ");
const DATE_FNS_ZONE = [
  "format lightFormat formatISO formatISO9075 formatRFC3339 formatRelative parse isWeekend isFirstDayOfMonth isLastDayOfMonth",
  "isMonday isTuesday isWednesday isThursday isFriday isSaturday isSunday set setHours setDate setDay setMonth setYear",
  "getHours getDay getDate getMonth getYear getISODay getDayOfYear getWeekOfMonth getWeeksInMonth",
  "eachDayOfInterval eachWeekOfInterval eachMonthOfInterval eachWeekendOfInterval",
  ...UNITS.flatMap((unit) => [`startOf${unit}`, `endOf${unit}`]),
  ..."Week ISOWeek Quarter ISOWeekYear WeekYear".split(" ").map((unit) => `get${unit}`),
  ..."Day Week ISOWeek Month Quarter Year".split(" ").map((unit) => `isSame${unit}`),
  ..."Days Weeks ISOWeeks Months Quarters Years".split(" ").map((unit) => `differenceInCalendar${unit}`),
  ..."Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    .split(" ")
    .flatMap((day) => [`next${day}`, `previous${day}`]),
].join(" ");

const DAYJS_LOCAL =
  "format hour date day month year week isoWeek dayOfYear quarter startOf endOf toString toArray toObject set";
const MOMENT_LOCAL =
  "format hour hours date day days month months year years week weeks isoWeek isoWeekday weekday dayOfYear quarter " +
  "startOf endOf toString toArray toObject get calendar";
const LUXON_LOCAL =
  "toISO toISODate toISOTime toISOWeekDate toFormat toLocaleString toLocaleParts toString toSQL toSQLDate toSQLTime " +
  "toRFC2822 startOf endOf hasSame set toObject get";
const LUXON_LOCAL_READS = "day hour month year weekday weekNumber ordinal quarter zoneName offset minute";

/** Date libraries. Made without a date they are clocks; most of them read and print local time. */
export const DATES: readonly RowGroup[] = [
  ...rows("date-fns#", "clock", NOW, DATE_FNS_NOW),
  ...rows("date-fns#", "locale", ZONE, DATE_FNS_ZONE),
  ...rows("date-fns#", "locale", LOCALE, "intlFormat intlFormatDistance"),
  ...pure("date-fns#", "*"),
  ...rows("date-fns-tz#", "locale", ZONE, "format fromZonedTime toDate"),
  ...pure("date-fns-tz#", "*"),
  ...rows("@date-fns/tz#", "clock", DEFAULT_NOW, "TZDate TZDateMini", { when: NONE_GIVEN }),
  ...pure("@date-fns/tz#", "*"),
  ...rows("@date-fns/utc#", "clock", DEFAULT_NOW, "UTCDate UTCDateMini", { when: NONE_GIVEN }),
  ...pure("@date-fns/utc#", "*"),

  ...rows("dayjs#", "clock", DEFAULT_NOW, "default tz", { when: NONE_GIVEN, returns: "dayjs#Dayjs" }),
  ...rows("dayjs#", "clock", DEFAULT_NOW, "utc", { when: NONE_GIVEN, returns: "dayjs#FixedDayjs" }),
  ...pure("dayjs#", "default unix", { returns: "dayjs#Dayjs" }),
  ...pure("dayjs#", "utc tz", { returns: "dayjs#FixedDayjs" }),
  ...pure("dayjs#", "duration extend isDayjs isDuration"),
  ...rows("dayjs#", "locale", ZONE, "tz.guess"),
  ...rows(
    "dayjs#",
    "memory",
    "it changes a setting of the whole process",
    "locale tz.setDefault updateLocale",
  ),
  ...["Dayjs", "FixedDayjs"].flatMap((type) => [
    ...rows(`dayjs#${type}.`, "clock", NOW, "fromNow toNow isToday isTomorrow isYesterday"),
    ...rows(
      `dayjs#${type}.`,
      "clock",
      DEFAULT_NOW,
      "diff isBefore isAfter isSame isSameOrBefore isSameOrAfter calendar",
      { when: NONE_GIVEN },
    ),
    ...pure(`dayjs#${type}.`, "add subtract clone locale", { returns: "this" }),
    ...pure(`dayjs#${type}.`, "utc tz utcOffset", { returns: "dayjs#FixedDayjs" }),
  ]),
  ...pure("dayjs#FixedDayjs.", "startOf endOf set", { returns: "this" }),
  ...pure("dayjs#FixedDayjs.", "local", { returns: "dayjs#Dayjs" }),
  ...pure("dayjs#FixedDayjs.", "*"),
  ...rows("dayjs#Dayjs.", "locale", ZONE, DAYJS_LOCAL, { returns: "this" }),
  ...pure("dayjs#Dayjs.", "*"),
  ...pure("dayjs#", "*"),

  ...["moment", "moment-timezone"].flatMap((module) => [
    ...rows(`${module}#`, "clock", DEFAULT_NOW, "default", { when: NONE_GIVEN, returns: "moment#Moment" }),
    ...rows(`${module}#`, "clock", DEFAULT_NOW, "utc", { when: NONE_GIVEN, returns: "moment#FixedMoment" }),
    ...rows(`${module}#`, "clock", NOW, "now"),
    ...pure(`${module}#`, "default unix parseZone", { returns: "moment#Moment" }),
    ...pure(`${module}#`, "utc tz", { returns: "moment#FixedMoment" }),
    ...rows(`${module}#`, "locale", ZONE, "tz.guess"),
    ...rows(
      `${module}#`,
      "memory",
      "it changes a setting of the whole process",
      "locale lang tz.setDefault updateLocale defineLocale",
    ),
    ...pure(`${module}#`, "duration isMoment isDate isDuration max min *"),
  ]),
  ...["Moment", "FixedMoment"].flatMap((type) => [
    ...rows(`moment#${type}.`, "clock", NOW, "fromNow toNow"),
    ...rows(
      `moment#${type}.`,
      "clock",
      DEFAULT_NOW,
      "diff isBefore isAfter isSame isSameOrBefore isSameOrAfter calendar",
      { when: NONE_GIVEN },
    ),
    ...pure(`moment#${type}.`, "add subtract", { mutates: "this", returns: "this" }),
    ...pure(`moment#${type}.`, "clone", { returns: "this" }),
    ...pure(`moment#${type}.`, "utc tz utcOffset", { mutates: "this", returns: "moment#FixedMoment" }),
  ]),
  ...pure("moment#FixedMoment.", "startOf endOf set", { mutates: "this", returns: "this" }),
  ...pure("moment#FixedMoment.", "*"),
  ...rows("moment#Moment.", "locale", ZONE, MOMENT_LOCAL, { returns: "this" }),
  ...pure("moment#Moment.", "*"),

  ...rows("luxon#DateTime.", "clock", NOW, "now", { returns: "luxon#DateTime" }),
  ...rows("luxon#DateTime.", "clock", DEFAULT_NOW, "local", { when: NONE_GIVEN, returns: "luxon#DateTime" }),
  ...rows("luxon#DateTime.", "clock", DEFAULT_NOW, "utc", {
    when: NONE_GIVEN,
    returns: "luxon#FixedDateTime",
  }),
  ...pure("luxon#DateTime.", "utc", { returns: "luxon#FixedDateTime" }),
  ...rows("luxon#DateTime.", "locale", ZONE, "local fromObject", { returns: "luxon#DateTime" }),
  ...pure(
    "luxon#DateTime.",
    "fromISO fromMillis fromSeconds fromJSDate fromFormat fromSQL fromHTTP fromRFC2822",
    { returns: "luxon#DateTime" },
  ),
  ...["fromISO", "fromMillis", "fromSeconds", "fromObject", "fromJSDate"].flatMap((name) =>
    pure("luxon#DateTime.", name, { when: { has: [1, "zone"] }, returns: "luxon#FixedDateTime" }),
  ),
  ...["fromFormat"].flatMap((name) =>
    pure("luxon#DateTime.", name, { when: { has: [2, "zone"] }, returns: "luxon#FixedDateTime" }),
  ),
  ...["DateTime", "FixedDateTime"].flatMap((type) => [
    ...rows(`luxon#${type}.`, "clock", NOW, "diffNow toRelative toRelativeCalendar"),
    ...pure(`luxon#${type}.`, "plus minus reconfigure setLocale", { returns: "this" }),
    ...pure(`luxon#${type}.`, "toUTC setZone", { returns: "luxon#FixedDateTime" }),
    ...pure(
      `luxon#${type}.`,
      "toMillis toSeconds toUnixInteger toJSDate diff equals valueOf until toHTTP toBSON",
    ),
  ]),
  ...pure("luxon#FixedDateTime.", "startOf endOf set", { returns: "this" }),
  ...pure("luxon#FixedDateTime.", "*"),
  ...rows("luxon#DateTime.", "locale", ZONE, LUXON_LOCAL, { returns: "this" }),
  ...rows("luxon#DateTime.", "locale", ZONE, LUXON_LOCAL_READS, { when: { form: "read" } }),
  ...rows("luxon#", "locale", LOCALE, "Info.*"),
  ...rows("luxon#", "memory", "it is a setting of the whole process", "Settings.*"),
  ...pure("luxon#", "*"),

  ...["@js-temporal/polyfill", "temporal-polyfill"].flatMap((module) => [
    ...rows(`${module}#`, "clock", NOW, "Temporal.Now.*"),
    ...rows(`${module}#`, "locale", ZONE, "Temporal.Now.timeZoneId"),
    ...pure(`${module}#`, "*"),
  ]),
  ...rows(
    "chrono-node#",
    "clock",
    "words like “tomorrow” count from the present time",
    "parse parseDate strict.parse strict.parseDate casual.parse casual.parseDate",
    { when: { lacks: [1] } },
  ),
  ...pure("chrono-node#", "*"),
  ...rows(
    "cron-parser#",
    "clock",
    "without `currentDate` it counts from the present time",
    "default.parse CronExpressionParser.parse parseExpression",
    { when: { lacks: [1, "currentDate"] } },
  ),
  ...pure("cron-parser#", "*"),
  ...rows("dateformat#", "clock", DEFAULT_NOW, "default", { when: NONE_GIVEN }),
  ...rows("dateformat#", "locale", ZONE, "default"),
  ...rows("spacetime#", "clock", DEFAULT_NOW, "default", { when: NONE_GIVEN }),
  ...rows("spacetime#", "clock", NOW, "now today tomorrow yesterday"),
  ...pure("spacetime#", "*"),
  ...rows("ms#", "pure", "it turns text into milliseconds and back", "*"),
  ...packages("clock", "it tells how long ago something was", "timeago.js javascript-time-ago time-ago"),
  ...packages(
    "timer",
    "it runs things on the clock of this process",
    "croner node-cron node-schedule cron toad-scheduler later",
  ),
  ...purePackages(
    "rrule cronstrue humanize-duration pretty-ms parse-duration parse-ms iso8601-duration tinyduration date-holidays business-days-js",
  ),
];
