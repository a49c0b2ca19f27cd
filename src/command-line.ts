/** What the commands are told, with every slip in it named: a misspelt option would else be one that isn't there. */
import { parseArgs } from 'node:util';
import { type Scope, scopes } from './domain/scopes.ts';

export interface CommandLine {
  /** What stands there without an option. */
  readonly words: readonly string[];
  /** @throws Error when it is given twice */
  one(option: string): string | undefined;
  all(option: string): readonly string[];
}

/** @throws Error naming the first option that isn't among `known`, or that lacks its value, with `usage` behind it */
export function commandLine(known: readonly string[], usage: string): CommandLine {
  const options = Object.fromEntries(
    known.map((name) => [name, { type: 'string', multiple: true }] as const),
  );
  const { values, positionals } = strictly(() => parseArgs({ options, allowPositionals: true }), usage);
  const all = (option: string): readonly string[] => values[option] ?? [];
  return {
    words: positionals,
    all,
    one(option) {
      const [value, ...more] = all(option);
      if (more.length > 0) throw new Error(`--${option} is given ${more.length + 1} times; ${usage}`);
      return value;
    },
  };
}

function strictly<T>(parse: () => T, usage: string): T {
  try {
    return parse();
  } catch (error) {
    // Its first sentence; the rest is about file names that begin with a dash.
    const reason = error instanceof Error ? error.message.replace(/\.? To specify[\s\S]*/, '') : error;
    throw new Error(`${reason}; ${usage}`);
  }
}

/** Those named in `texts`, separated by spaces or commas. @throws Error naming what is no scope, or when there is none */
export function scopesIn(texts: readonly string[], usage: string): Scope[] {
  const asked = texts.flatMap((text) => text.split(/[ ,]+/)).filter((name) => name !== '');
  const unknown = asked.find((name) => !scopes.some((scope) => scope === name));
  if (unknown !== undefined || asked.length === 0)
    throw new Error(`${unknown ?? 'nothing'} is no scope of ${scopes.join(' ')}; ${usage}`);
  return scopes.filter((scope) => asked.includes(scope));
}
