/** Rows of a file that is imported, and what the command then says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aDataFolder, discardProcesses, type Ended } from '../support/process.ts';
import { usersIn } from './directories.ts';

export const lines = (...rows: readonly (object | string)[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');

export const [ada, grace] = [{ userName: 'ada' }, { userName: 'grace', title: 'Admiral' }];

/** What a summary says when it says no more. */
export const counts = (created: number, changed: number, unchanged: number, refused: number): string =>
  `${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused`;

export const outcome = ({ code, log }: Pick<Ended, 'code' | 'log'>): unknown => [code, log.join('\n')];

/** To be called in `describe`: each test has a folder of its own, with its files and its store. */
export function setFolder() {
  let folder = '';
  beforeEach(() => {
    folder = aDataFolder();
  });
  afterEach(discardProcesses);
  return {
    get folder() {
      return folder;
    },
    put: (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content),
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
    names: () =>
      usersIn(folder)
        .map(({ userName }) => userName)
        .sort(),
  };
}
