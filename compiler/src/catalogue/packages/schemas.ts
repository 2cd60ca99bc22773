import { pure, purePackages, rows, type RowGroup } from "../rows.js";

const FILE = "it reads a file";
const CLOCK = "the document holds the time at which it was made";

/** Validation, parsing, formats, templates. */
export const SCHEMAS: readonly RowGroup[] = [
  ...purePackages(
    "zod valibot yup joi @hapi/joi ajv ajv-formats ajv-keywords superstruct io-ts runtypes arktype @sinclair/typebox typebox class-validator class-transformer validator ow myzod fastest-validator vest @effect/schema @standard-schema/spec @typeschema/main decoders computed-types typia jsonschema is-my-json-valid @cfworker/json-schema",
  ),
  ...rows("joi#", "clock", "“now” in a rule is the present time", "date"),
  ...purePackages(
    "libphonenumber-js google-libphonenumber iban ibantools card-validator credit-card-type jsvat postal-codes-js i18n-iso-countries countries-list country-data currency-codes iso-639-1",
  ),
  ...purePackages(
    "csv-parse/sync csv-stringify/sync papaparse d3-dsv yaml js-yaml toml @iarna/toml smol-toml ini json5 jsonc-parser comment-json superjson devalue flatted serialize-javascript fast-json-stringify safe-stable-stringify json-stable-stringify fast-json-stable-stringify canonicalize json-schema-traverse @msgpack/msgpack msgpackr cbor cbor-x bson-ext protobufjs @bufbuild/protobuf google-protobuf avsc flatbuffers thrift",
  ),
  ...rows("papaparse#", "network", "it downloads what it parses", "parse", {
    when: { has: [1, "download"] },
    async: true,
  }),
  ...rows("csv-parse#", "file", "a stream moves data in its own time, outside the history", "*", {
    async: true,
  }),
  ...rows("csv-stringify#", "file", "a stream moves data in its own time, outside the history", "*", {
    async: true,
  }),
  ...rows("fast-csv#", "file", "a stream moves data in its own time, outside the history", "*", {
    async: true,
  }),
  ...purePackages(
    "fast-xml-parser xml2js xml-js xmlbuilder2 xmlbuilder xpath @xmldom/xmldom htmlparser2 node-html-parser parse5 linkedom domhandler css-select cssom postcss-value-parser",
  ),
  ...rows("cheerio#", "network", "it fetches the page", "fromURL", { async: true }),
  ...pure("cheerio#", "*", { calls: "all" }),
  ...rows("jsdom#", "host", "the page's scripts run with timers of their own", "*"),
  ...purePackages(
    "marked markdown-it remark unified remark-parse rehype-stringify remark-html showdown turndown micromark sanitize-html dompurify isomorphic-dompurify xss gray-matter highlight.js prismjs shiki",
  ),
  ...purePackages(
    "handlebars mustache nunjucks liquidjs eta squirrelly dot jsonpath jsonpath-plus jsonata jmespath object-mapper json-rules-engine expr-eval filtrex jexl acorn esprima @babel/parser @babel/types estree-walker",
  ),
  ...rows("nunjucks#", "file", FILE, "render configure"),
  ...rows("liquidjs#", "file", FILE, "*.renderFile *.renderFileSync *.parseFile"),
  ...["ejs", "pug"].flatMap((module) => [
    ...rows(`${module}#`, "file", FILE, "renderFile compileFile", { async: true }),
    ...pure(`${module}#`, "*"),
  ]),
  ...rows("xlsx#", "file", FILE, "readFile writeFile writeFileXLSX writeFileAsync"),
  ...pure("xlsx#", "*"),
  ...rows("exceljs#", "file", FILE, "*.readFile *.writeFile *.read *.write", { async: true }),
  ...rows("exceljs#", "clock", CLOCK, "Workbook"),
  ...pure("exceljs#", "*"),
  ...rows("pdf-lib#", "clock", CLOCK, "PDFDocument.create PDFDocument.load", { async: true }),
  ...pure("pdf-lib#", "*"),
  ...rows("pdfkit#", "clock", CLOCK, "*"),
  ...rows("pdfmake#", "clock", CLOCK, "*"),
  ...purePackages(
    "pdf-parse mammoth docx-preview jszip fflate pako lz-string brotli-wasm qrcode-terminal jsbarcode bwip-js",
  ),
  ...rows("qrcode#", "file", "it writes a file", "toFile toFileStream", { async: true }),
  ...pure("qrcode#", "*"),
  ...rows(
    "intl-messageformat#",
    "locale",
    "without a locale it takes the machine's own",
    "default IntlMessageFormat",
    { when: { lacks: [1] } },
  ),
  ...pure("intl-messageformat#", "*"),
  ...rows("i18next#", "memory", "the language is a setting of the whole process", "*"),
];
