import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aDataFolder, run } from '../support/process.ts';
import { tidyUser } from '../support/tidy-users.ts';
import { anyUser } from '../support/users.ts';
import { fill, usersIn, withoutVersions } from './directories.ts';

/** Few enough for a table, which has a column for each name of an attribute. */
export const count = 80;

/** Users of any kind who can be in one directory: no two have one userName. */
export const aDirectory = (): User[] =>
  fc.sample(anyUser(), count).map((user, at) => ({ ...user, userName: `${user.userName}-${at}` }));

/** @param name of a format @param options of both commands */
export function itGoesRound(name: string, options: readonly string[]): void {
  it(`of ${[name, ...options].join(' ')} gives the same directory when imported into an empty one, except for the versions`, async () => {
    const [from, to] = [aDataFolder(), aDataFolder()];
    // A table loses blanks at the ends of texts.
    const users = name === 'csv' ? aDirectory().map(tidyUser) : aDirectory();
    await fill(from, users);
    const file = join(from, `users.${name}`);
    expect((await run(['export', file, ...options], from)).code).to.equal(0);
    const { code, log, told } = await run(['import', file, '--keep-meta', ...options], to);
    const others = told.slice(1).filter((line) => !line.startsWith('Read as a table'));
    expect([code, log[0], others]).to.deep.equal([
      0,
      `${count} created, 0 changed, 0 unchanged, 0 refused`,
      [],
    ]);
    const there = withoutVersions(usersIn(to));
    expect(there).to.deep.equal(withoutVersions(users));
    // Into its own directory, where all users exist.
    const again = await run(['import', file, ...options], from);
    expect(again.log[0]).to.equal(`0 created, 0 changed, ${count} unchanged, 0 refused`);
  });
}
