/** `ctx.log`: structured lines, silent while workflow code is replayed. */
export interface Log {
  debug(message: string): void;
  debug(data: object, message?: string): void;
  info(message: string): void;
  info(data: object, message?: string): void;
  warn(message: string): void;
  warn(data: object, message?: string): void;
  error(message: string): void;
  error(data: object, message?: string): void;
}
