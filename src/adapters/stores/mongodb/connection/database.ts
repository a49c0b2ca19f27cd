/** What all parts of the store share: made once, when it is opened. */
import type { Db, MongoClient } from 'mongodb';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { Transactions } from './transactions.ts';

/** Decisions need the newest state, also when the operator's read preference is a secondary. */
export const fromPrimary = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  readonly kinds: Kinds;
  /** The limits of each command. */
  readonly limits: { readonly maxTimeMS: number };
  readonly transactions: Transactions;
  /** For work outside of transactions. Throws DomainError `unavailable` when a newer release has raised the number of the layout. */
  readonly assertLayout: () => Promise<void>;
}
