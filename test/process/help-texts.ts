/** The recorded and the current help of the program. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runHere } from './called.ts';

const file = 'test/process/recorded/help.txt';

/** The commands that a help names below `Commands:`. */
function commandsIn(help: readonly string[]): string[] {
  const from = help.indexOf('Commands:') + 1;
  if (from === 0) return [];
  const lines = help.slice(from, help.indexOf('', from));
  return lines.flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
}

/** Of the program and of every command that it names, with those below. */
export async function currentHelp(path: readonly string[] = []): Promise<string> {
  const { code, log, told } = await runHere([...path, '--help'], '.');
  if (code !== 0 || told.length > 0) throw new Error(`${path.join(' ')} --help ends with ${code}: ${told}`);
  let text = `$ ${['user-management', ...path].join(' ')} --help\n${log.join('\n')}\n\n`;
  for (const name of commandsIn(log)) text += await currentHelp([...path, name]);
  return text;
}

export const recordedHelp = (): string => readFileSync(file, 'utf8');

export const recordHelp = async (): Promise<void> => writeFileSync(file, await currentHelp());
