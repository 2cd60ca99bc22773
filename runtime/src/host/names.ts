/**
 * How instances are named in the store: the definition's name and the parts of the key, joined by `/`:
 * `orders/eu/42`. Parts are percent-encoded; an empty part is `%`.
 */

/** Name and key of one instance. */
export interface InstanceAddress {
  /** In `setup({ use })`. */
  readonly name: string;
  readonly key: readonly string[];
}

const encodePart = (part: string): string => (part === "" ? "%" : encodeURIComponent(part));
const decodePart = (part: string): string => (part === "%" ? "" : decodeURIComponent(part));

/** The store's name of an instance. */
export function instanceName({ name, key }: InstanceAddress): string {
  return [name, ...key].map(encodePart).join("/");
}

/** The inverse of `instanceName`. */
export function instanceAddress(instance: string): InstanceAddress {
  const [name = "", ...key] = instance.split("/").map(decodePart);
  return { name, key };
}

/** A new id for an instance. It holds the instance's name, so that `getForId` needs no index. */
export function newActorId(instance: string): string {
  return `${Buffer.from(instance).toString("base64url")}.${crypto.randomUUID().slice(0, 8)}`;
}

/** The store's name of the instance that an id belongs to; `null` when it is not an id. */
export function instanceOfId(actorId: string): string | null {
  const dot = actorId.lastIndexOf(".");
  if (dot <= 0) return null;
  const instance = Buffer.from(actorId.slice(0, dot), "base64url").toString();
  return instance === "" ? null : instance;
}
