import { rows, type RowGroup } from "../rows.js";

const RANDOM = "it gives another number on every replay";
const ID = "it makes another id on every replay";
const KEYS = "keys, salts and nonces are random";

/** Randomness and ids made of it. */
export const RANDOM_ROWS: readonly RowGroup[] = [
  ...rows("", "random", RANDOM, "Math.random"),
  ...rows("", "id", ID, "crypto.randomUUID Bun.randomUUIDv7 Bun.randomUUIDv5 URL.createObjectURL"),
  ...rows("", "random", RANDOM, "crypto.getRandomValues", { mutates: 0 }),
  ...rows("crypto.subtle.", "random", KEYS, "generateKey encrypt", { async: true }),
  ...rows(
    "crypto.subtle.",
    "pure",
    "the same input gives the same output",
    "digest decrypt importKey exportKey verify deriveBits deriveKey wrapKey unwrapKey",
    { async: true },
  ),
  ...rows("crypto.subtle.", "random", "signatures of most algorithms are salted", "sign", { async: true }),
  ...rows("node:crypto#", "id", ID, "randomUUID randomUUIDv7"),
  ...rows(
    "node:crypto#",
    "random",
    RANDOM,
    "randomBytes pseudoRandomBytes prng rng randomInt getRandomValues webcrypto.getRandomValues",
  ),
  ...rows("node:crypto#", "id", ID, "webcrypto.randomUUID"),
  ...rows("node:crypto#", "random", RANDOM, "randomFill randomFillSync", { mutates: 0 }),
  ...rows(
    "node:crypto#",
    "random",
    KEYS,
    "generateKey generateKeySync generateKeyPair generateKeyPairSync generatePrime generatePrimeSync createDiffieHellman createECDH publicEncrypt privateEncrypt sign encapsulate",
  ),
  ...rows(
    "node:crypto#",
    "pure",
    "the same input gives the same output",
    "hash createHmac pbkdf2Sync scryptSync hkdfSync createCipheriv createDecipheriv createSecretKey createPublicKey createPrivateKey timingSafeEqual verify createVerify getHashes getCiphers getCurves publicDecrypt privateDecrypt checkPrimeSync constants X509Certificate KeyObject",
  ),
  ...rows("node:crypto#", "pure", "a digest depends on its input only", "createHash", {
    returns: "node:crypto#Hash",
  }),
  ...rows("node:crypto#", "host", "it runs on the threads of this process", "pbkdf2 scrypt hkdf checkPrime", {
    async: true,
  }),
  ...rows("node:crypto#", "random", "signatures of most algorithms are salted", "createSign"),
  ...rows("node:crypto#Hash.", "pure", "a digest depends on its input only", "digest copy"),
  ...rows("node:crypto#Hash.", "pure", "a digest depends on its input only", "update", {
    mutates: "this",
    returns: "this",
  }),
  ...rows("node:crypto#Hmac.", "pure", "a digest depends on its input only", "digest"),
  ...rows("node:crypto#Hmac.", "pure", "a digest depends on its input only", "update", {
    mutates: "this",
    returns: "this",
  }),
  ...rows(
    "node:crypto#Cipher.",
    "pure",
    "the output depends on key, vector and input",
    "update final setAAD getAuthTag setAutoPadding",
  ),
  ...rows(
    "node:crypto#Cipheriv.",
    "pure",
    "the output depends on key, vector and input",
    "update final setAAD getAuthTag setAutoPadding",
  ),
  ...rows(
    "node:crypto#Decipheriv.",
    "pure",
    "the output depends on key, vector and input",
    "update final setAAD setAuthTag setAutoPadding",
  ),
  ...rows("node:crypto#Verify.", "pure", "the result depends on key and input", "update verify"),
  ...rows("Bun.", "random", "the salt is random", "password.hash password.hashSync", { async: true }),
];
