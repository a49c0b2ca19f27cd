/** The change log on its way to another store: `log-filling.ts` fills it in the writer, and this file asks it to, and reads the users of entries. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry, Place } from '../../../../domain/changes/change.ts';
import type { LogMoves, MovedEntry } from '../../../../domain/changes/moves.ts';
import type { Connection } from '../file/connection.ts';
import { type IdKey, toId, toIdKey } from './user-rows.ts';

/** Writes to the log alone, for the writer's thread. */
export type MoveWrite =
  | { readonly op: 'begin-filling'; readonly line: string }
  | { readonly op: 'take'; readonly entries: readonly MovedEntry[] }
  /** A step. It is `stale` when all are done. */
  | { readonly op: 'derive-users' }
  | { readonly op: 'end-filling'; readonly last: Place };

/** In ms: between two looks for memberships that are to be ended. */
const lookInterval = 50;

function prepareStatements(db: Connection) {
  return {
    dropped: db.prepare<[], number>('SELECT 1 FROM member_sets WHERE is_dropped LIMIT 1').pluck(),
    has: db
      .prepare<[IdKey, number], number>('SELECT 1 FROM change_log_members WHERE user = ? AND number = ?')
      .pluck(),
    swept: db.prepare<[number], IdKey>('SELECT user FROM swept_members WHERE number = ?').pluck(),
  };
}

/** @param hasMembers whether any kind has members @param read runs queries in one transaction @param write sends a write to the writer */
export function sqliteMoves(
  db: Connection,
  hasMembers: boolean,
  read: <R>(query: () => R) => R,
  write: (write: MoveWrite) => Promise<boolean>,
): LogMoves {
  const sql = hasMembers ? prepareStatements(db) : undefined;
  const usersOf = ({ number, added = [], removed = [] }: Entry): readonly string[] => {
    const named = [...added, ...removed].filter((id) => sql?.has.get(toIdKey(id), number) !== undefined);
    return [...named, ...(sql?.swept.all(number) ?? []).map(toId)];
  };
  return {
    async usersOf(entries) {
      while (read(() => sql?.dropped.get()) !== undefined) await pause(lookInterval);
      return read(() => new Map(entries.map((entry) => [entry.number, usersOf(entry)])));
    },
    begin: (line) => write({ op: 'begin-filling', line }),
    take: async (entries) => void (await write({ op: 'take', entries })),
    async end(last, derivesUsers = false) {
      while (derivesUsers && (await write({ op: 'derive-users' })));
      await write({ op: 'end-filling', last });
    },
  };
}
