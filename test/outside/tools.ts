/** Programs of others that the tests here put to work, and what happens where they aren't installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Context } from 'mocha';
import { missing } from '../support/left-out.ts';

export { missing };

/** Debian keeps servers where a user's PATH doesn't reach. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where a program is; undefined when it isn't installed. */
export const whereIs = (program: string): string | undefined =>
  folders.map((folder) => join(folder, program)).find(isThere);

/** The path of a program, or as `missing` says. */
export const needed = (context: Context, program: string): string =>
  whereIs(program) ?? missing(context, program);

/** Python's packages from PYTHON_TOOLS, which precede installed ones. */
const pythonEnvironment = {
  ...process.env,
  PYTHONPATH: [process.env.PYTHON_TOOLS, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
};

/** Whether Python can import the package. */
function isInPython(name: string): boolean {
  const python = whereIs('python3');
  return (
    python !== undefined &&
    spawnSync(python, ['-c', `import ${name}`], { env: pythonEnvironment }).status === 0
  );
}

/** Sees to it that Python can import the package, or as `missing` says. */
export function neededInPython(context: Context, name: string): void {
  if (!isInPython(name)) missing(context, `the Python package ${name}`);
}

/** Runs a program on the input to its end and gives all it printed. @throws Error when it can't be started */
export async function outputOf(
  program: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<{ readonly out: string; readonly err: string }> {
  const child = spawn(program, args, { env: pythonEnvironment });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    err += piece;
  });
  // A program may be done before it has read all, or any.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await once(child, 'close');
  return { out, err };
}
