import { packages, pure, purePackages, rows, type RowGroup } from "../rows.js";

const RANDOM = "it gives something else on every replay";
const SEED = "without a seed it gives something else on every replay";

/** Makers of test data, random numbers, keys and tokens. */
export const RANDOMS: readonly RowGroup[] = [
  ...packages(
    "random",
    RANDOM,
    "@faker-js/faker faker casual chance @ngneat/falso random random-js fast-check random-words lorem-ipsum random-number-csprng d3-random weighted weighted-random pick-random array-shuffle shuffle-array knuth-shuffle-seeded random-int random-item unique-random",
  ),
  ...rows("chance#", "pure", "with a seed it gives the same again", "default Chance", {
    when: { form: "new", minArgs: 1 },
  }),
  ...rows("seedrandom#", "random", SEED, "default", { when: { lacks: [0] } }),
  ...pure("seedrandom#", "*"),
  ...rows("prando#", "random", SEED, "default", { when: { lacks: [0] } }),
  ...pure("prando#", "*"),
  ...purePackages("pure-rand mersenne-twister alea xorshift"),

  ...["bcrypt", "bcryptjs", "@node-rs/bcrypt"].flatMap((module) => [
    ...rows(`${module}#`, "random", "the salt is random", "hash hashSync genSalt genSaltSync", {
      async: true,
    }),
    ...pure(`${module}#`, "compare compareSync verify verifySync getRounds", { async: true }),
  ]),
  ...["argon2", "@node-rs/argon2"].flatMap((module) => [
    ...rows(`${module}#`, "random", "the salt is random", "hash hashSync hashRaw", { async: true }),
    ...pure(`${module}#`, "verify verifySync needsRehash", { async: true }),
  ]),
  ...rows("jsonwebtoken#", "clock", "a token holds the time at which it was made", "sign"),
  ...rows("jsonwebtoken#", "clock", "whether a token has expired depends on the clock", "verify"),
  ...pure("jsonwebtoken#", "decode JsonWebTokenError TokenExpiredError NotBeforeError"),
  ...rows("jose#", "clock", "whether a token has expired depends on the clock", "jwtVerify jwtDecrypt", {
    async: true,
  }),
  ...rows(
    "jose#",
    "clock",
    "a token holds the time at which it was made",
    "SignJWT.setIssuedAt EncryptJWT.setIssuedAt UnsecuredJWT.setIssuedAt",
    { when: { lacks: [0] }, returns: "this" },
  ),
  ...rows(
    "jose#",
    "random",
    "keys and vectors are random",
    "generateKeyPair generateSecret EncryptJWT.encrypt CompactEncrypt.encrypt",
    { async: true },
  ),
  ...rows("jose#", "network", "the keys are fetched", "createRemoteJWKSet"),
  ...pure(
    "jose#",
    "SignJWT.setIssuedAt SignJWT.setExpirationTime SignJWT.setProtectedHeader SignJWT.setIssuer SignJWT.setAudience SignJWT.setSubject SignJWT.setJti",
    { returns: "this" },
  ),
  ...pure("jose#", "*"),
  ...rows(
    "crypto-js#",
    "random",
    "words, salts and vectors are random",
    "lib.WordArray.random default.lib.WordArray.random AES.encrypt TripleDES.encrypt DES.encrypt Rabbit.encrypt RC4.encrypt",
  ),
  ...pure("crypto-js#", "*"),
  ...rows("tweetnacl#", "random", "keys are random", "randomBytes box.keyPair sign.keyPair"),
  ...pure("tweetnacl#", "*"),
  ...rows("@noble/hashes#", "random", "it gives other bytes on every replay", "randomBytes"),
  ...pure("@noble/hashes#", "*"),
  ...rows("@noble/curves#", "random", "keys are random", "*.randomPrivateKey *.randomSecretKey *.keygen"),
  ...pure("@noble/curves#", "*"),
  ...packages("clock", "a one-time code depends on the clock", "otplib speakeasy otpauth totp-generator"),
  ...packages(
    "random",
    "keys and salts are random",
    "node-forge openpgp libsodium-wrappers sodium-native @47ng/cloak iron-session @hapi/iron",
  ),
  ...purePackages(
    "md5 sha.js js-sha256 js-sha512 blueimp-md5 spark-md5 xxhash-wasm murmurhash hash-sum hash-wasm crc crc-32 crypto-hash fnv-plus string-hash farmhash ohash stable-hash",
  ),
];
