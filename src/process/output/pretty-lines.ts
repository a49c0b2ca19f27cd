/** Lines of the log for people, on a terminal. Only imported there. */
import { prettyFactory } from 'pino-pretty';

/** Escapes in JSON, and raw characters, that a terminal would take for commands: what a client sent may be in a line. */
const commands = /\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|\\[bfr]|[\u007f-\u009f]/gi;

/** https://no-color.org; a worker's own standard output is no terminal, which the library would look at. */
const takesColor = ({ NO_COLOR = '', TERM }: NodeJS.ProcessEnv): boolean =>
  NO_COLOR === '' && TERM !== 'dumb';

/** @returns a function that formats a line of JSON, with its line feed */
export function prettyLines(): (line: string) => string {
  const print = prettyFactory({
    colorize: takesColor(process.env),
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return (line) => print(line.replace(commands, '\\ufffd'));
}
