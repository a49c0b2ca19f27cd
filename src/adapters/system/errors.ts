/** Reads errors, which may be any value in JavaScript. */

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's error code, such as ENOENT; undefined for an error without a code. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** An error with the file's name before the message, and the original as its cause. */
export const withFileName = (file: string, error: unknown): Error =>
  new Error(`${file}: ${messageOf(error)}`, { cause: error });
