/** The clients' own tools, put to work: each run to its end, whatever it says being shown when it fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A client's folder: it isn't compiled along with the tests. */
export const clientFolder = (name: string): string =>
  fileURLToPath(new URL(`../../../test/clients/${name}`, import.meta.url));

/**
 * All that it printed, by line.
 * @throws Error with all of it when it doesn't end well
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
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      told += piece;
    });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code ?? signal}\n${told}`);
  return told.split('\n').filter((line) => line !== '');
}
