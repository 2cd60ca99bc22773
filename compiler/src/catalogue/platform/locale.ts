import { pure, rows, type RowGroup } from "../rows.js";

const LOCALE = "without a locale it takes the machine's own";
const ZONE = "it depends on the time zone of the machine";
const FIXED = "locale and time zone are given";

const LOCALE_FIRST = { when: { lacks: [0] } } as const;
const NO_ZONE = { when: { lacks: [1, "timeZone"] } } as const;

const LOCAL_GETTERS = "getDate getDay getFullYear getHours getMinutes getMonth getYear getTimezoneOffset";
const LOCAL_SETTERS = "setDate setFullYear setHours setMinutes setMonth setYear";
const DATE_TEXTS = "toLocaleString toLocaleDateString toLocaleTimeString";
const TEMPORAL = [
  "Instant",
  "PlainDate",
  "PlainTime",
  "PlainDateTime",
  "ZonedDateTime",
  "PlainYearMonth",
  "PlainMonthDay",
  "Duration",
];

/** Where a result depends on the language or the time zone that the machine is set to. */
export const LOCALE_ROWS: readonly RowGroup[] = [
  ...rows("", "locale", `its parts are local time: ${ZONE}`, "Date", {
    when: { form: "new", minArgs: 2 },
    returns: "Date",
  }),
  ...rows("Date.prototype.", "locale", ZONE, LOCAL_GETTERS),
  ...rows("Date.prototype.", "locale", ZONE, LOCAL_SETTERS, { mutates: "this" }),
  ...rows("Date.prototype.", "locale", ZONE, "toString toDateString toTimeString"),
  ...rows("Date.prototype.", "locale", LOCALE, DATE_TEXTS, LOCALE_FIRST),
  ...rows("Date.prototype.", "locale", ZONE, DATE_TEXTS, NO_ZONE),
  ...rows("Date.prototype.", "pure", FIXED, DATE_TEXTS),
  // These names exist on dates only, so the receiver's type need not be known.
  ...rows("*.prototype.", "locale", ZONE, "getTimezoneOffset"),
  ...rows("*.prototype.", "locale", LOCALE, "toLocaleDateString toLocaleTimeString", LOCALE_FIRST),
  ...rows("*.prototype.", "locale", ZONE, "toLocaleDateString toLocaleTimeString", NO_ZONE),

  ...["Number", "BigInt", "Array", "*"].flatMap((type) =>
    rows(`${type}.prototype.`, "locale", LOCALE, "toLocaleString", LOCALE_FIRST),
  ),
  ...["Number", "BigInt", "Array"].flatMap((type) =>
    rows(`${type}.prototype.`, "pure", FIXED, "toLocaleString"),
  ),
  ...TEMPORAL.flatMap((type) => [
    ...rows(`Temporal.${type}.prototype.`, "locale", LOCALE, "toLocaleString", LOCALE_FIRST),
    ...rows(`${type}.prototype.`, "locale", LOCALE, "toLocaleString", LOCALE_FIRST),
  ]),
  ...["String", "*"].flatMap((type) => [
    ...rows(`${type}.prototype.`, "locale", LOCALE, "localeCompare", { when: { lacks: [1] } }),
    ...rows(`${type}.prototype.`, "locale", LOCALE, "toLocaleUpperCase toLocaleLowerCase", LOCALE_FIRST),
  ]),
  ...rows("String.prototype.", "pure", FIXED, "localeCompare toLocaleUpperCase toLocaleLowerCase"),

  ...rows(
    "Intl.",
    "locale",
    LOCALE,
    "Collator DateTimeFormat DisplayNames DurationFormat ListFormat NumberFormat PluralRules RelativeTimeFormat Segmenter",
    LOCALE_FIRST,
  ),
  ...rows("Intl.", "locale", ZONE, "DateTimeFormat", { ...NO_ZONE, returns: "Intl.DateTimeFormat" }),
  ...rows(
    "Intl.",
    "pure",
    FIXED,
    "Collator DateTimeFormat DisplayNames DurationFormat ListFormat NumberFormat PluralRules RelativeTimeFormat Segmenter",
  ),
  ...["Intl.DateTimeFormat", "DateTimeFormat"].flatMap((type) => [
    ...rows(
      `${type}.prototype.`,
      "clock",
      "without a date it formats the present time",
      "format formatToParts",
      LOCALE_FIRST,
    ),
    ...pure(`${type}.prototype.`, "format formatToParts formatRange formatRangeToParts resolvedOptions"),
  ]),
  ...pure("Intl.", "Locale getCanonicalLocales"),
  ...rows("Intl.", "host", "it tells what this runtime was built with", "supportedValuesOf"),
  ...[
    "Collator",
    "DisplayNames",
    "DurationFormat",
    "ListFormat",
    "NumberFormat",
    "PluralRules",
    "RelativeTimeFormat",
    "Segmenter",
    "Locale",
  ].flatMap((type) => [
    ...pure(
      `Intl.${type}.prototype.`,
      "compare format formatToParts formatRange formatRangeToParts select selectRange of segment resolvedOptions maximize minimize toString",
    ),
    ...pure(
      `${type}.prototype.`,
      "compare format formatToParts formatRange formatRangeToParts select selectRange of segment resolvedOptions maximize minimize",
    ),
  ]),
  ...rows("Temporal.Now.", "locale", ZONE, "timeZoneId timeZone"),
  ...rows("navigator.", "locale", "it is the language of this machine", "language languages", {
    when: { form: "read" },
  }),
];
