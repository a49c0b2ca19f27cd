/** The benchmarks' users, and filling a SQLite file with them. */
import { writeFileSync } from 'node:fs';
import { switchLog } from '../src/adapters/stores/sqlite/changes/tables.ts';
import { type Connection, openConnection } from '../src/adapters/stores/sqlite/file/connection.ts';
import { createLayout } from '../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../src/adapters/stores/sqlite/layout/rebuild.ts';
import { tablesOf } from '../src/adapters/stores/sqlite/layout/tables.ts';
import type { ResourceWrite } from '../src/adapters/stores/sqlite/write/writer-messages.ts';
import { Writes } from '../src/adapters/stores/sqlite/write/writes.ts';
import type { User } from '../src/domain/kinds/user/user.ts';
import { kindsOf } from '../src/domain/kinds.ts';

/** Ids are consecutive, so that load.lua can name any of them. */
export const idOf = (at: number): string => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;

/** Of a million users ten, a thousand and a hundred thousand have the first three of these names. */
function familyNameOf(at: number | string): string {
  const number = Number(at);
  if (number % 100_000 === 3) return 'Germain';
  if (number % 1_000 === 1) return 'Noether';
  return number % 10 === 0 ? 'Hopper' : 'Lovelace';
}

/** A client's input, about 600 bytes. userName, externalId and e-mail addresses differ by `at`. */
export const inputOf = (at: number | string) => ({
  userName: `ada-${at}`,
  externalId: `personnel-${at}`,
  name: { givenName: 'Ada', familyName: familyNameOf(at), formatted: `Ada ${familyNameOf(at)}` },
  displayName: `Ada ${familyNameOf(at)}`,
  title: 'Analyst & Programmer',
  preferredLanguage: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [
    { value: `ada-${at}@example.org`, type: 'work', primary: true },
    { value: `ada-${at}@example.net`, type: 'home' },
  ],
  phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work' }],
  addresses: [{ streetAddress: "12 St James's Square", locality: 'London', country: 'GB', type: 'work' }],
  roles: ['analyst', 'reader'],
  attributes: { costCenter: '42' },
});

/** As a stored user. */
export const userAt = (at: number): User => ({
  id: idOf(at),
  ...inputOf(at),
  meta: {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: `version-of-${String(at).padStart(11, '0')}`,
  },
});

/** Of the kinds of the service. */
export const tables = tablesOf(kindsOf());

/** As the writer gets it. */
export const creating = (user: User): ResourceWrite => ({
  kind: 'user',
  id: user.id,
  by: '{"client":"bench","via":"test"}',
  op: 'create',
  text: JSON.stringify(user),
});

const usersInTransaction = 10_000;

/** With the store's tables and nobody in them. */
export function openNewFile(file: string): Connection {
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const db = openConnection(file, { readonly: false, busyTimeout: 5000 });
  createLayout(db, tables);
  rebuildIfOutdated(
    db,
    tables,
    () => {},
    () => {},
  );
  return db;
}

/**
 * Adds users from `from` up to but not including `to`, without the service and an fsync for each: filling isn't measured.
 * @param isLogged with an entry of the change log for each
 */
export function fill(file: string, from: number, to: number, isLogged = false): void {
  const db = openNewFile(file);
  switchLog(db, isLogged);
  const writes = new Writes(db, tables);
  const add = db.transaction((first: number, end: number) => {
    for (let at = first; at < end; at += 1) writes.apply(creating(userAt(at)));
    writes.finish();
  });
  for (let first = from; first < to; first += usersInTransaction)
    add(first, Math.min(to, first + usersInTransaction));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
