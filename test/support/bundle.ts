/** The program as `npm start` runs it, beside the compiled one that most tests run: the same, in few files, and quicker to start. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const folder = 'build/bundle';
let main: string | undefined;

/** Its file. It is built when it is first asked for. */
export function bundledMain(): string {
  if (main !== undefined) return main;
  execFileSync(process.execPath, [resolve('scripts/bundle.js'), folder]);
  main = resolve(folder, 'main.js');
  return main;
}
