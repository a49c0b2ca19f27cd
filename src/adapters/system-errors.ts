/** Reads errors, which JavaScript lets be any value. */

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's code, such as ENOENT; undefined for an error without one. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** The same error with its file's name before the message. */
export const withFileName = (file: string, error: unknown): Error =>
  new Error(`${file}: ${messageOf(error)}`, { cause: error });
