import { createHash, timingSafeEqual } from "node:crypto";

/** Who may use a server. */
export interface Guard {
  readonly token: string | null;
  /** Origins of web pages that may call; others are refused. */
  readonly origins: readonly string[];
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/** True when only this machine can reach the name. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/** Compares in constant time, whatever the lengths. */
export function tokenMatches(guard: Guard, given: string | null): boolean {
  if (guard.token === null) return true;
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(guard.token), digest(given ?? ""));
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? null;
}

/**
 * True when a web page of `origin` may call. Requests without an origin do not come from pages. Without
 * this, any page that a developer visits could use the server on loopback, which asks for no token.
 */
export function originAllowed(guard: Guard, origin: string | null | undefined): boolean {
  return origin === null || origin === undefined || guard.origins.includes(origin);
}

/** True when the request was addressed to this machine by name: pages of others reach it under theirs (DNS rebinding). */
export function hostAllowed(guard: Guard, host: string | null | undefined): boolean {
  if (guard.token !== null) return true;
  return isLoopback((host ?? "").replace(/:\d+$/, ""));
}
