import { describe, expect, it } from "vitest";
import type { ArgShape, CatalogueUse } from "../types.js";
import { BUILT_IN_ROWS, createCatalogue } from "./index.js";

const catalogue = createCatalogue(BUILT_IN_ROWS);

/** `()`, `(x)`, `(undefined)`, `(x, {timeZone})`, `(x, {method: POST})`, `(...)` for a spread. */
function argsOf(text: string): readonly ArgShape[] | null {
  if (text === "...") return null;
  if (text.trim() === "") return [];
  return text.split(/,(?![^{]*\})/).map((part): ArgShape => {
    const arg = part.trim();
    if (arg === "undefined") return { is: "undefined" };
    if (!arg.startsWith("{")) return { is: "other" };
    const pairs = arg
      .slice(1, -1)
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map((pair) => pair.split(":").map((each) => each.trim()));
    return {
      is: "object",
      open: arg.includes("~"),
      props: Object.fromEntries(pairs.map(([key, value]) => [key ?? "", value ?? null])),
    };
  });
}

/** `new Date()`, `Math.random()`, `process.env.HOME` (a read), `uuid#v4()`, `Date>getHours()`, `pg#Pool>query(x)`. */
function ask(text: string): string {
  const match = /^(new )?([^({]*?)(?:\((.*)\))?$/.exec(text);
  const [, isNew, path = "", args] = match ?? [];
  const use: CatalogueUse =
    args === undefined
      ? { form: "read" }
      : { form: isNew === undefined ? "call" : "new", args: argsOf(args) };
  const [module, name] = path.includes("#")
    ? [path.slice(0, path.indexOf("#")), path.slice(path.indexOf("#") + 1)]
    : ["", path];
  const [type, member] = name.includes(">")
    ? [name.slice(0, name.indexOf(">")), name.slice(name.indexOf(">") + 1)]
    : [null, name];
  const row =
    type !== null
      ? catalogue.lookupMember(module, type, member, use)
      : module === ""
        ? catalogue.lookupGlobal(member, use)
        : catalogue.lookupExternal(module, member, use);
  return row === null ? "nothing" : row.effect;
}

/** One line per effect: what is asked, separated by `|`. */
const FACTS: Readonly<Record<string, string>> = {
  clock: `
    Date.now() | new Date() | Date() | Date(x) | globalThis.Date.now() | Temporal.Now.instant() | Temporal.Now.plainDateISO()
    performance.now() | performance.timeOrigin | process.hrtime() | process.hrtime.bigint() | process.uptime()
    node:process#hrtime() | perf_hooks#performance.now() | node:perf_hooks#performance.timeOrigin | Bun.nanoseconds()
    Performance>now() | DateConstructor>now() | Intl.DateTimeFormat>format() | DateTimeFormat>format()
    dayjs#default() | dayjs#default(undefined) | dayjs#utc() | dayjs#Dayjs>fromNow() | dayjs#Dayjs>diff() | moment#default()
    moment#Moment>fromNow() | luxon#DateTime.now() | luxon#DateTime.local() | luxon#DateTime>toRelative()
    date-fns#formatDistanceToNow(x) | date-fns#isToday(x) | date-fns/isPast#default(x) | date-fns#startOfToday()
    lodash#now() | lodash#default.now() | lodash-es#now() | jsonwebtoken#sign(x, y) | jsonwebtoken#default.verify(x, y)
    jose#jwtVerify(x, y) | stripe#Stripe.webhooks.constructEvent(a, b, c) | @js-temporal/polyfill#Temporal.Now.instant()
    cron-parser#default.parse(x) | dateformat#default() | fp-ts/Date#now()
    @aws-sdk/s3-request-presigner#getSignedUrl(a, b)`,
  random: `
    Math.random() | MathConstructor>random() | window.Math.random() | crypto.getRandomValues(x) | crypto.subtle.generateKey(a, b, c)
    node:crypto#randomBytes(x) | crypto#randomInt(x) | node:crypto#default.randomBytes(x) | node:crypto#webcrypto.getRandomValues(x)
    node:crypto#generateKeyPairSync(x) | @faker-js/faker#faker.person.fullName() | chance#Chance>name() | seedrandom#default()
    lodash#random(a, b) | lodash/shuffle#default(x) | lodash.sample#default(x) | underscore#shuffle(x) | remeda#shuffle(x)
    radash#draw(x) | es-toolkit#randomInt(a, b) | bcrypt#hash(a, b) | bcryptjs#default.genSaltSync() | mathjs#randomInt(a, b)
    crypto-js#lib.WordArray.random(x) | randombytes#default(x) | new chance#default()`,
  id: `
    crypto.randomUUID() | node:crypto#randomUUID() | crypto#default.randomUUID() | Crypto>randomUUID() | uuid#v4() | uuid#v7() | uuid/v4#default()
    uuid#*.v1() | npm:uuid@9#v4() | nanoid#nanoid() | nanoid#Maker>call() | @paralleldrive/cuid2#createId() | ulid#ulid() | ulid#ulid(x)
    cuid#default() | ksuid#randomSync() | new bson#ObjectId() | new mongodb#ObjectId() | new mongoose#Types.ObjectId() | ai#generateId()
    typeid-js#typeid(x) | URL.createObjectURL(x)`,
  locale: `
    Date>getHours() | Date>toString() | Date>toLocaleString() | Date>toLocaleString(undefined) | Date>toLocaleDateString(x)
    Date>toLocaleDateString(x, {month}) | Date>getTimezoneOffset() | Date>setHours(x) | new Date(x, y) | new Date(...) | Number>toLocaleString()
    *>toLocaleDateString() | *>toLocaleTimeString(x) | String>localeCompare(x) | *>localeCompare(x) | String>toLocaleUpperCase()
    new Intl.DateTimeFormat() | new Intl.DateTimeFormat(x) | new Intl.DateTimeFormat(x, {dateStyle: short}) | Intl.NumberFormat() | new Intl.Collator(undefined)
    Temporal.Now.timeZoneId() | navigator.language | date-fns#format(a, b) | date-fns#startOfDay(x) | dayjs#Dayjs>format()
    moment#Moment>format() | luxon#DateTime>toISO() | luxon#DateTime>hour | dayjs#tz.guess()`,
  environment: `
    process.env | process.env.HOME | process.env.A.length | node:process#env.HOME | process#default.env.HOME | ProcessEnv>HOME | process.argv | process.cwd()
    Bun.env.X | Deno.env.get(x) | import.meta.env.MODE | cloudflare:workers#env.DB | node:path#resolve(x) | path#resolve(x, y)
    dotenv#config() | config#default.get(x) | posthog-node#PostHog>isFeatureEnabled(a, b)
    @launchdarkly/node-server-sdk#Client>variation(a, b, c) | launchdarkly-node-server-sdk#LDClient>variation(a) | node:util#parseArgs() | yargs#default(x)`,
  host: `
    process.pid | process.platform | process.memoryUsage() | node:os#hostname() | os#cpus() | os#EOL | navigator.userAgent
    location.href | node:v8#getHeapStatistics() | Deno.hostname() | node:worker_threads#threadId | ci-info#isPR() | inquirer#default.prompt(x)`,
  network: `
    fetch(x) | window.fetch(x) | new WebSocket(x) | new EventSource(x) | axios#default(x) | axios#default.get(x) | axios#AxiosInstance>get(x)
    got#default.post(x) | ky#default.get(x) | undici#request(x) | node-fetch#default(x) | cross-fetch#fetch(x) | superagent#default.get(x)
    node:http#request(x) | https#get(x) | node:dns#lookup(x) | dns/promises#resolve(x) | nodemailer#Client>sendMail(x)
    resend#Resend>emails.send(x) | @sendgrid/mail#default.send(x) | twilio#Client>messages.create(x) | stripe#Stripe>customers.create(x)
    stripe#CustomersResource>create(x) | @paypal/checkout-server-sdk#PayPalHttpClient>execute(x) | openai#OpenAI>chat.completions.create(x)
    @anthropic-ai/sdk#Anthropic>messages.create(x) | ai#generateText(x) | @google/genai#GoogleGenAI>models.generateContent(x)
    @aws-sdk/client-s3#S3Client>send(x) | @google-cloud/storage#Storage>bucket(x) | @azure/storage-blob#BlobClient>upload(x)
    firebase-admin/firestore#Client>collection(x) | @trpc/client#Client>user.get.query(x) | @slack/web-api#WebClient>chat.postMessage(x)`,
  database: `
    pg#Pool>query(x) | pg#Client>connect() | @types/pg#Pool>query(x) | mysql2#Pool>execute(x) | mysql2/promise#Connection>query(x) | mongodb#Collection>insertOne(x)
    mongoose#Model>find() | redis#Client>get(x) | ioredis#Redis>set(a, b) | @prisma/client#PrismaClient>user.findMany() | drizzle-orm#Database>select()
    knex#Client>call(x) | knex#Knex>raw(x) | typeorm#Repository>save(x) | sequelize#Model>findAll() | kysely#Kysely>selectFrom(x) | better-sqlite3#Database>prepare(x)
    node:sqlite#DatabaseSync>exec(x) | @supabase/supabase-js#Client>from(x) | @upstash/redis#Redis>get(x) | indexedDB.open(x) | Bun.sql(x)`,
  file: `
    node:fs#readFileSync(x) | fs#writeFileSync(a, b) | fs/promises#readFile(x) | node:fs#promises.readFile(x) | Deno.readTextFile(x)
    Bun.file(x) | fs-extra#readJson(x) | glob#glob(x) | localStorage.getItem(x) | sharp#default(x) | node:stream#pipeline(a, b) | csv-parse#parse(x)`,
  process: `
    node:child_process#exec(x) | child_process#spawn(x) | process.exit() | execa#execa(x) | puppeteer#default.launch() | new Worker(x)`,
  timer: `
    setTimeout(a, b) | globalThis.setInterval(a, b) | setImmediate(x) | queueMicrotask(x) | process.nextTick(x) | node:timers/promises#setTimeout(x)
    timers#setTimeout(a, b) | AbortSignal.timeout(x) | lodash#debounce(x) | lodash.throttle#default(x) | p-retry#default(x) | rxjs#interval(x) | delay#default(x)
    bluebird#Promise.delay(x) | scheduler.wait(x) | Bun.sleep(x)`,
  queue: `bullmq#Queue>add(a, b) | amqplib#Channel>sendToQueue(a, b) | kafkajs#Producer>send(x) | nats#NatsConnection>publish(a, b) | @upstash/qstash#Client>publishJSON(x)`,
  emitter: `
    node:events#EventEmitter>emit(x) | events#EventEmitter>on(a, b) | process.on(a, b) | dispatchEvent(x) | mitt#Emitter>emit(x) | eventemitter3#EventEmitter>emit(x)`,
  metrics: `@sentry/node#captureException(x) | prom-client#Counter>inc() | @opentelemetry/api#Tracer>startSpan(x) | @opentelemetry/api#Instrument>add(x) | dd-trace#default.init() | posthog-node#PostHog>capture(x)`,
  console: `console.log(x) | console.error(x) | Console>log(x) | node:console#log(x) | pino#Client>info(x) | winston#Logger>info(x) | winston#default.info(x) | debug#Client>call(x) | process.stdout.write(x)`,
  memory: `
    WeakRef>deref() | new FinalizationRegistry(x) | Atomics.load(a, b) | Buffer.allocUnsafe(x) | lodash#uniqueId() | node:async_hooks#AsyncLocalStorage>getStore()
    lru-cache#LRUCache>get(x) | dayjs#locale(x)`,
  stack: `Error>stack | TypeError>stack`,
  pure: `
    new Date(x) | Date.parse(x) | Date.UTC(a, b) | Date>getTime() | Date>toISOString() | Date>getUTCHours() | Math.max(...) | Math.floor(x) | JSON.stringify(x)
    Array>map(x) | ReadonlyArray>filter(x) | Array>sort() | Uint8Array>slice(x) | Map>set(a, b) | ReadonlyMap>get(x) | Set>has(x) | Object.keys(x) | ObjectConstructor>entries(x)
    String>split(x) | String>localeCompare(a, b) | Number>toFixed(x) | Number>toLocaleString(x) | Date>toLocaleString(x, {timeZone: UTC}) | Date>toLocaleString(x, {~})
    Date>toLocaleString(x, y) | new Intl.NumberFormat(x) | new Intl.DateTimeFormat(x, {timeZone: UTC}) | Promise.all(x) | Promise>then(x) | new Promise(x) | new URL(x) | URLSearchParams>get(x)
    structuredClone(x) | new TextEncoder() | Temporal.PlainDate.from(x) | Buffer.from(x) | Buffer>toString(x) | encodeURIComponent(x) | new Error(x) | Symbol(x) | parseInt(x)
    node:crypto#createHash(x) | crypto#Hash>digest(x) | @types/node#Hash>update(x) | node:path#join(a, b) | path#basename(x) | node:util#inspect(x) | node:assert#default(x) | node:url#fileURLToPath(x)
    node:zlib#gzipSync(x) | node:querystring#parse(x) | node:net#isIP(x)
    dayjs#default(x) | dayjs#Dayjs>add(a, b) | dayjs#utc(x) | dayjs#FixedDayjs>format() | moment#default(x) | luxon#DateTime.fromISO(x) | luxon#DateTime>plus(x) | date-fns#addDays(a, b)
    date-fns#differenceInDays(a, b) | date-fns/addHours#default(a, b) | ms#default(x) | uuid#v5(a, b) | uuid/v5#default(a, b) | uuid#validate(x) | new bson#ObjectId(x) | seedrandom#default(x) | new chance#default(x)
    lodash#groupBy(a, b) | lodash/fp#map(a, b) | lodash.get#default(a, b) | ramda#map(a, b) | remeda#pipe(a, b) | immer#produce(a, b) | zod#z.object(x) | zod#ZodObject>parse(x) | zod/v4#parse(x)
    valibot#parse(a, b) | new ajv#default() | yaml#parse(x) | csv-parse/sync#parse(x) | cheerio#load(x) | p-limit#default(x) | p-limit#Limiter>call(x) | @opentelemetry/api#trace.getTracer(x) | pino#Client>child(x) | async#map(a, b)
    axios#create(x) | axios#isAxiosError(x) | new pg#Pool() | new stripe#default(x) | new @aws-sdk/client-s3#S3Client(x) | new @aws-sdk/client-s3#PutObjectCommand(x) | redis#createClient()
    new openai#default() | nodemailer#createTransport(x) | pino#default() | drizzle-orm#eq(a, b) | drizzle-orm/node-postgres#drizzle(x) | bcrypt#compare(a, b) | jsonwebtoken#decode(x) | @ai-sdk/openai#openai(x)
    mongoose#model(a, b) | new mongoose#Schema(x) | typeorm#Entity() | chalk#default.red(x) | graphql#parse(x) | react#createElement(x) | hono#Hono>get(x) | new events#EventEmitter()`,
  nothing: `
    Math.PI | Date.now | process | Math | acme-store#load(x) | Widget>render() | unknownFunction(x) | axios#default | fetch | uuid#v4 | Array>length | lodash | Temporal.Now`,
};

describe("what the catalogue says of well-known things", () => {
  for (const [effect, text] of Object.entries(FACTS)) {
    const asked = text
      .split(/[|\n]/)
      .map((each) => each.trim())
      .filter((each) => each !== "");
    it.each(asked)(`${effect}: %s`, (each) => {
      expect(ask(each)).toBe(effect);
    });
  }
});

describe("what the catalogue says beside the effect", () => {
  const call = (args: string): CatalogueUse => ({ form: "call", args: argsOf(args) });

  it("tells requests that change the outside from those that ask", () => {
    expect(catalogue.lookupGlobal("fetch", call("x"))?.writes).toBeUndefined();
    expect(catalogue.lookupGlobal("fetch", call("x, {method: POST}"))?.writes).toBe(true);
    expect(catalogue.lookupGlobal("fetch", call("x, {method: put}"))?.writes).toBeUndefined();
    expect(catalogue.lookupExternal("axios", "default.post", call("x"))?.writes).toBe(true);
    expect(catalogue.lookupExternal("axios", "default.get", call("x"))?.writes).toBeUndefined();
    expect(catalogue.lookupMember("stripe", "Stripe", "charges.create", call("x"))?.writes).toBe(true);
    expect(catalogue.lookupMember("stripe", "Stripe", "charges.retrieve", call("x"))?.writes).toBe(false);
    const octokit = (member: string): boolean | undefined =>
      catalogue.lookupMember("@octokit/rest", "Octokit", member, call("x"))?.writes;
    expect(
      ["issues.create", "issues.getComment", "repos.listForOrg", "issues.ondemand"].map(octokit),
    ).toEqual([true, false, false, true]);
    expect(catalogue.lookupMember("@prisma/client", "PrismaClient", "user.create", call("x"))?.writes).toBe(
      true,
    );
    expect(
      catalogue.lookupMember("@prisma/client", "PrismaClient", "user.findMany", call(""))?.writes,
    ).toBeUndefined();
  });

  it("tells which arguments are called in place", () => {
    expect(catalogue.lookupMember("", "Array", "sort", call("x"))?.calls).toEqual([0]);
    expect(catalogue.lookupGlobal("Array.from", call("x, y"))?.calls).toEqual([1]);
    expect(catalogue.lookupMember("", "String", "replace", call("x, y"))?.calls).toEqual([1]);
    expect(catalogue.lookupExternal("lodash", "sortBy", call("x, y"))?.calls).toBe("all");
  });

  it("tells what is changed in place", () => {
    expect(catalogue.lookupMember("", "Array", "push", call("x"))?.mutates).toBe("this");
    expect(catalogue.lookupMember("", "Array", "map", call("x"))?.mutates).toBeUndefined();
    expect(catalogue.lookupGlobal("Object.assign", call("x, y"))?.mutates).toBe(0);
    expect(catalogue.lookupExternal("lodash", "set", call("x, y, z"))?.mutates).toBe(0);
    expect(catalogue.lookupMember("", "Date", "setHours", call("x"))?.mutates).toBe("this");
  });

  it("tells what kind of value comes back, so that its members can be asked for", () => {
    expect(catalogue.lookupExternal("node:crypto", "createHash", call("x"))?.returns).toBe(
      "node:crypto#Hash",
    );
    expect(catalogue.lookupExternal("redis", "createClient", call(""))?.returns).toBe("redis#Client");
    expect(catalogue.lookupExternal("dayjs", "utc", call("x"))?.returns).toBe("dayjs#FixedDayjs");
    expect(catalogue.lookupMember("dayjs", "FixedDayjs", "add", call("x"))?.returns).toBe("this");
  });
});
