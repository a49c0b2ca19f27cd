/** The users that are read and written, and how a SQLite file gets many of them. */
import { writeFileSync } from 'node:fs';
import { openConnection } from '../src/adapters/stores/sqlite/connection.ts';
import { migrate, reindexIfOutdated } from '../src/adapters/stores/sqlite/schema.ts';
import { Writes } from '../src/adapters/stores/sqlite/writes.ts';
import type { User } from '../src/domain/user.ts';

/** Ids follow each other, so that a script can name any of them. */
export const idOf = (at: number): string => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;

/** What a client sends; about 600 bytes. `at` is told apart by userName, externalId and e-mail address. */
export const inputOf = (at: number | string) => ({
  userName: `ada-${at}`,
  externalId: `personnel-${at}`,
  name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
  displayName: 'Ada Lovelace',
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

/** As the store keeps it. */
export const userAt = (at: number): User => ({
  id: idOf(at),
  ...inputOf(at),
  meta: {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: `version-of-${String(at).padStart(11, '0')}`,
  },
});

const inOneTransaction = 10_000;

/** Adds users `from` up to but not including `to`, past the service and its fsyncs: what is measured comes after. */
export function fill(file: string, from: number, to: number): void {
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const db = openConnection(file, { readonly: false, busyTimeout: 5000 });
  migrate(db);
  reindexIfOutdated(db);
  const writes = new Writes(db);
  const add = db.transaction((first: number, end: number) => {
    for (let at = first; at < end; at += 1)
      writes.apply({ kind: 'insert', document: JSON.stringify(userAt(at)) });
  });
  for (let first = from; first < to; first += inOneTransaction)
    add(first, Math.min(to, first + inOneTransaction));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
