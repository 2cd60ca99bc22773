import type ts from "typescript";
import { folderOf } from "./disk.js";
import type { Files } from "./files.js";
import { wholeTypescript } from "./typescript.js";

/** The name under which {@link PLATFORM_LIB} stands among TypeScript's own libs. */
export const PLATFORM_LIB_NAME = "lib.stepproof.d.ts";

/**
 * The libs of our own program: the language, whole, and of the platform what server code uses. TypeScript's
 * `lib.dom.d.ts` would cost more than all else together (parsing and binding it: 0.8 s of 1.8 s), for types that
 * no workflow holds. A type that is missing here is not known, which never makes a finding.
 */
export function withPlatformLib(options: ts.CompilerOptions): ts.CompilerOptions {
  if (options.noLib === true) return options;
  return { ...options, lib: ["lib.esnext.d.ts", PLATFORM_LIB_NAME], libReplacement: false };
}

/**
 * Types of the runtime, for a project that doesn't say which it wants: TypeScript up to 5.9 took all that were
 * installed, 6.0 takes none. `folder` is where they are looked for, and above.
 */
export function withRuntimeTypes(
  options: ts.CompilerOptions,
  folder: string,
  files: Files,
): ts.CompilerOptions {
  if (options.types !== undefined) return options;
  const installed = (name: string): boolean => {
    for (let at = folder; ; at = folderOf(at)) {
      if (files.directoryExists(`${at}/node_modules/@types/${name}`)) return true;
      if (at === "") return false;
    }
  };
  return { ...options, types: ["node", "bun"].filter(installed) };
}

/** True for the path that a program made with {@link withPlatformLib} asks {@link PLATFORM_LIB} under. */
export function isPlatformLib(path: string): boolean {
  return path.endsWith(`/${PLATFORM_LIB_NAME}`);
}

/** True for libs that a package may ask for by `/// <reference lib="dom" />`, which are read as empty. */
export function isLeftOut(path: string): boolean {
  return /\/lib\.(?:dom|webworker|scripthost)[^/]*$/.test(path);
}

/** Path of TypeScript's libs, without a slash at the end. */
export function libraryFolder(options: ts.CompilerOptions): string {
  return wholeTypescript()
    .getDefaultLibFilePath(options)
    .replaceAll("\\", "/")
    .replace(/\/[^/]*$/, "");
}

/** Global values and types of servers, browsers and workers alike, as far as recording and replay care. */
export const PLATFORM_LIB = `
interface EventInit { bubbles?: boolean; cancelable?: boolean }
interface Event { readonly type: string; readonly target: EventTarget | null; readonly timeStamp: number; preventDefault(): void }
declare var Event: { prototype: Event; new (type: string, init?: EventInit): Event };
interface EventTarget {
  addEventListener(type: string, listener: ((event: any) => void) | null, options?: any): void;
  removeEventListener(type: string, listener: ((event: any) => void) | null, options?: any): void;
  dispatchEvent(event: Event): boolean;
}
declare var EventTarget: { prototype: EventTarget; new (): EventTarget };
interface AbortSignal extends EventTarget { readonly aborted: boolean; readonly reason: any; throwIfAborted(): void }
declare var AbortSignal: { prototype: AbortSignal; abort(reason?: any): AbortSignal; timeout(ms: number): AbortSignal; any(signals: AbortSignal[]): AbortSignal };
interface AbortController { readonly signal: AbortSignal; abort(reason?: any): void }
declare var AbortController: { prototype: AbortController; new (): AbortController };
interface DOMException extends Error { readonly code: number }
declare var DOMException: { prototype: DOMException; new (message?: string, name?: string): DOMException };

interface ReadableStreamDefaultReader<R = any> { read(): Promise<{ done: boolean; value: R }>; releaseLock(): void; cancel(reason?: any): Promise<void> }
interface ReadableStream<R = any> extends AsyncIterable<R> {
  readonly locked: boolean;
  getReader(): ReadableStreamDefaultReader<R>;
  cancel(reason?: any): Promise<void>;
  pipeThrough<T>(transform: { readable: ReadableStream<T>; writable: WritableStream<R> }): ReadableStream<T>;
  pipeTo(destination: WritableStream<R>): Promise<void>;
  tee(): [ReadableStream<R>, ReadableStream<R>];
}
declare var ReadableStream: { prototype: ReadableStream; new <R = any>(source?: any, strategy?: any): ReadableStream<R>; from<R>(source: Iterable<R> | AsyncIterable<R>): ReadableStream<R> };
interface WritableStreamDefaultWriter<W = any> { write(chunk: W): Promise<void>; close(): Promise<void>; abort(reason?: any): Promise<void>; releaseLock(): void }
interface WritableStream<W = any> { readonly locked: boolean; getWriter(): WritableStreamDefaultWriter<W>; close(): Promise<void>; abort(reason?: any): Promise<void> }
declare var WritableStream: { prototype: WritableStream; new <W = any>(sink?: any, strategy?: any): WritableStream<W> };
interface TransformStream<I = any, O = any> { readonly readable: ReadableStream<O>; readonly writable: WritableStream<I> }
declare var TransformStream: { prototype: TransformStream; new <I = any, O = any>(transformer?: any): TransformStream<I, O> };

interface Blob { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer>; bytes(): Promise<Uint8Array>; text(): Promise<string>; stream(): ReadableStream<Uint8Array>; slice(start?: number, end?: number, type?: string): Blob }
declare var Blob: { prototype: Blob; new (parts?: any[], options?: any): Blob };
interface File extends Blob { readonly name: string; readonly lastModified: number }
declare var File: { prototype: File; new (parts: any[], name: string, options?: any): File };
type FormDataEntryValue = File | string;
interface FormData extends Iterable<[string, FormDataEntryValue]> {
  append(name: string, value: any, fileName?: string): void; delete(name: string): void; get(name: string): FormDataEntryValue | null;
  getAll(name: string): FormDataEntryValue[]; has(name: string): boolean; set(name: string, value: any, fileName?: string): void;
}
declare var FormData: { prototype: FormData; new (): FormData };
type HeadersInit = [string, string][] | Record<string, string> | Headers;
interface Headers extends Iterable<[string, string]> {
  append(name: string, value: string): void; delete(name: string): void; get(name: string): string | null; getSetCookie(): string[];
  has(name: string): boolean; set(name: string, value: string): void; forEach(callback: (value: string, key: string, parent: Headers) => void): void;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
}
declare var Headers: { prototype: Headers; new (init?: HeadersInit): Headers };
type BodyInit = any;
interface Body {
  readonly body: ReadableStream<Uint8Array> | null; readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>; blob(): Promise<Blob>; bytes(): Promise<Uint8Array>; formData(): Promise<FormData>; json(): Promise<any>; text(): Promise<string>;
}
interface RequestInit { method?: string; headers?: HeadersInit; body?: BodyInit | null; signal?: AbortSignal | null; redirect?: string; cache?: string; credentials?: string; keepalive?: boolean; mode?: string }
interface Request extends Body { readonly url: string; readonly method: string; readonly headers: Headers; readonly signal: AbortSignal; clone(): Request }
declare var Request: { prototype: Request; new (input: RequestInfo | URL, init?: RequestInit): Request };
type RequestInfo = Request | string;
interface ResponseInit { status?: number; statusText?: string; headers?: HeadersInit }
interface Response extends Body {
  readonly ok: boolean; readonly status: number; readonly statusText: string; readonly headers: Headers; readonly redirected: boolean; readonly type: string; readonly url: string;
  clone(): Response;
}
declare var Response: { prototype: Response; new (body?: BodyInit | null, init?: ResponseInit): Response; error(): Response; json(data: any, init?: ResponseInit): Response; redirect(url: string | URL, status?: number): Response };
declare function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;

interface URLSearchParams extends Iterable<[string, string]> {
  readonly size: number; append(name: string, value: string): void; delete(name: string, value?: string): void; get(name: string): string | null; getAll(name: string): string[];
  has(name: string, value?: string): boolean; set(name: string, value: string): void; sort(): void; toString(): string; forEach(callback: (value: string, key: string, parent: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
}
declare var URLSearchParams: { prototype: URLSearchParams; new (init?: string[][] | Record<string, string> | string | URLSearchParams): URLSearchParams };
interface URL { hash: string; host: string; hostname: string; href: string; readonly origin: string; password: string; pathname: string; port: string; protocol: string; search: string; readonly searchParams: URLSearchParams; username: string; toString(): string; toJSON(): string }
declare var URL: { prototype: URL; new (url: string | URL, base?: string | URL): URL; canParse(url: string | URL, base?: string | URL): boolean; parse(url: string | URL, base?: string | URL): URL | null; createObjectURL(object: any): string; revokeObjectURL(url: string): void };

interface TextEncoder { readonly encoding: string; encode(input?: string): Uint8Array }
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };
interface TextDecoder { readonly encoding: string; decode(input?: ArrayBuffer | ArrayBufferView | null, options?: { stream?: boolean }): string }
declare var TextDecoder: { prototype: TextDecoder; new (label?: string, options?: any): TextDecoder };
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function structuredClone<T>(value: T, options?: any): T;
declare function queueMicrotask(callback: () => void): void;
declare function setTimeout(handler: (...args: any[]) => void, timeout?: number, ...args: any[]): number;
declare function setInterval(handler: (...args: any[]) => void, timeout?: number, ...args: any[]): number;
declare function clearTimeout(id: any): void;
declare function clearInterval(id: any): void;

interface SubtleCrypto { digest(algorithm: any, data: ArrayBuffer | ArrayBufferView): Promise<ArrayBuffer>; encrypt(...args: any[]): Promise<any>; decrypt(...args: any[]): Promise<any>; sign(...args: any[]): Promise<ArrayBuffer>; verify(...args: any[]): Promise<boolean>; generateKey(...args: any[]): Promise<any>; importKey(...args: any[]): Promise<any>; exportKey(...args: any[]): Promise<any>; deriveBits(...args: any[]): Promise<ArrayBuffer>; deriveKey(...args: any[]): Promise<any> }
interface Crypto { readonly subtle: SubtleCrypto; getRandomValues<T>(array: T): T; randomUUID(): \`\${string}-\${string}-\${string}-\${string}-\${string}\` }
declare var crypto: Crypto;
interface Performance extends EventTarget { readonly timeOrigin: number; now(): number; mark(name: string, options?: any): any; measure(name: string, start?: any, end?: string): any; getEntries(): any[] }
declare var performance: Performance;
interface Console { assert(...args: any[]): void; clear(): void; count(label?: string): void; debug(...args: any[]): void; dir(...args: any[]): void; error(...args: any[]): void; group(...args: any[]): void; groupEnd(): void; info(...args: any[]): void; log(...args: any[]): void; table(...args: any[]): void; time(label?: string): void; timeEnd(label?: string): void; timeLog(label?: string, ...args: any[]): void; trace(...args: any[]): void; warn(...args: any[]): void }
declare var console: Console;

interface MessagePort extends EventTarget { postMessage(message: any, transfer?: any): void; start(): void; close(): void }
interface MessageChannel { readonly port1: MessagePort; readonly port2: MessagePort }
declare var MessageChannel: { prototype: MessageChannel; new (): MessageChannel };
interface BroadcastChannel extends EventTarget { readonly name: string; postMessage(message: any): void; close(): void }
declare var BroadcastChannel: { prototype: BroadcastChannel; new (name: string): BroadcastChannel };
interface Worker extends EventTarget { postMessage(message: any, transfer?: any): void; terminate(): void }
declare var Worker: { prototype: Worker; new (url: string | URL, options?: any): Worker };
interface WebSocket extends EventTarget { readonly readyState: number; readonly url: string; close(code?: number, reason?: string): void; send(data: any): void }
declare var WebSocket: { prototype: WebSocket; new (url: string | URL, protocols?: string | string[]): WebSocket };
interface Storage { readonly length: number; clear(): void; getItem(key: string): string | null; key(index: number): string | null; removeItem(key: string): void; setItem(key: string, value: string): void }
declare var localStorage: Storage;
declare var sessionStorage: Storage;
interface Navigator { readonly userAgent: string; readonly language: string; readonly languages: readonly string[]; readonly hardwareConcurrency: number; readonly onLine: boolean }
declare var navigator: Navigator;
`;
