import { packages, pure, rows, type RowGroup } from "../rows.js";

const ID = "it makes another id on every replay";
const FRESH = "without an argument it makes another id on every replay";

/** Makers of ids. */
export const IDS: readonly RowGroup[] = [
  ...rows("uuid#", "id", ID, "v1 v4 v6 v7"),
  ...pure("uuid#", "v3 v5 v1ToV6 v6ToV1 parse stringify validate version NIL MAX"),
  ...rows("uuid#", "id", ID, "default"),
  ...rows("nanoid#", "id", ID, "nanoid random Maker.call"),
  ...rows("nanoid/non-secure#", "id", ID, "nanoid"),
  ...pure("nanoid#", "customAlphabet customRandom", { returns: "nanoid#Maker" }),
  ...rows("nanoid/async#", "id", ID, "*", { async: true }),
  ...rows(
    "@paralleldrive/cuid2#",
    "id",
    ID,
    "createId Maker.call getConstants createCounter createFingerprint",
  ),
  ...pure("@paralleldrive/cuid2#", "isCuid"),
  ...pure("@paralleldrive/cuid2#", "init", { returns: "@paralleldrive/cuid2#Maker" }),
  ...rows("ulid#", "id", ID, "ulid detectPrng Maker.call"),
  ...pure("ulid#", "decodeTime encodeTime isValid ulidToUUID uuidToULID fixULIDBase32 incrementBase32"),
  ...pure("ulid#", "monotonicFactory factory", { returns: "ulid#Maker" }),
  ...rows("ulidx#", "id", ID, "ulid Maker.call"),
  ...pure("ulidx#", "monotonicFactory", { returns: "ulidx#Maker" }),
  ...pure("ulidx#", "decodeTime encodeTime isValid ulidToUUID uuidToULID"),
  ...rows("bson#", "id", FRESH, "ObjectId ObjectID", { when: { lacks: [0] } }),
  ...rows("bson#", "id", ID, "UUID", { when: { lacks: [0] } }),
  ...rows("bson#", "id", ID, "UUID.generate ObjectId.generate"),
  ...pure("bson#", "*"),
  ...rows("typeid-js#", "id", ID, "typeid typeidUnboxed TypeID.generate"),
  ...pure(
    "typeid-js#",
    "parseTypeId getType getSuffix fromString toUUID fromUUID TypeID.fromString TypeID.fromUUID",
  ),
  ...rows("short-uuid#", "id", ID, "default generate uuid Translator.new Translator.generate"),
  ...pure("short-uuid#", "Translator.fromUUID Translator.toUUID"),
  ...rows("object-hash#", "pure", "a hash depends on its input only", "default sha1 MD5 keys"),
  ...packages(
    "id",
    ID,
    "cuid shortid uniqid hyperid ksuid xid-js uuidv4 uuidv7 @lukeed/uuid uid crypto-random-string randomstring",
  ),
  ...packages(
    "id",
    ID,
    "snowflake-id @sapphire/snowflake nodejs-snowflake secure-random-string human-id unique-names-generator puid",
  ),
  ...packages("random", "it gives other bytes on every replay", "randombytes random-bytes secure-random"),
  ...packages(
    "pure",
    "it turns numbers into text and back",
    "sqids hashids nanoid-dictionary base-x bs58 base64url base64-js",
  ),
];
