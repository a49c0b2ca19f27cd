/** The clients' own tools, put to work: each run to its end, whatever it says being shown when it fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A client's folder: it isn't compiled along with the tests. */
export const clientFolder = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

/**
 * What it printed to standard output, by line.
 * @throws Error with all that it said when it doesn't end well
 */
export async function succeed(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
    told += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    told += piece;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code ?? signal}\n${told}`);
  return out.split('\n').filter((line) => line !== '');
}

/** The code that docs/clients.md has from a client's source: the lines between two comments, without their common indentation. */
export function readExample(file: string): string {
  const text = readFileSync(file, 'utf8');
  const [, inside = ''] =
    /^[\t ]*(?:\/\/|#) docs\/clients\.md\n(.*?)\n[\t ]*(?:\/\/|#) end$/ms.exec(text) ?? [];
  const indent = /^[\t ]*/.exec(inside)?.[0] ?? '';
  return inside.replace(new RegExp(`^${indent}`, 'gm'), '');
}
