/** The log: JSON lines on standard output, one after the other whatever number of processes write them. */
import { type Logger, pino } from 'pino';

/** What a pipe takes in one piece (PIPE_BUF, on Linux), in bytes: longer lines of two processes could end up in each other. */
const wholeLine = 4096;

/** The most bytes that one of JavaScript's characters takes in UTF-8. */
const widest = 3;

const isWhole = (line: string): boolean =>
  line.length * widest <= wholeLine || Buffer.byteLength(line) <= wholeLine;

/** The same line, its texts cut as short as it takes. */
function cut(line: string): string {
  const entry: unknown = JSON.parse(line);
  for (let length = wholeLine / 2; ; length = Math.floor(length / 2)) {
    const shorter = JSON.stringify(entry, (_key, value: unknown) =>
      typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value,
    );
    if (length === 0 || isWhole(`${shorter}\n`)) return `${shorter}\n`;
  }
}

/** Every line is written when the call returns: none is lost, however the process ends. */
export function logOf(level: string, { shared }: { readonly shared: boolean }): Logger {
  const out = pino.destination({ fd: 1, sync: true });
  if (!shared) return pino({ level }, out);
  return pino({ level }, { write: (line) => void out.write(isWhole(line) ? line : cut(line)) });
}
