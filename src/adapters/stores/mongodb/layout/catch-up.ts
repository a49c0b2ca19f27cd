/**
 * Makes reads find users that processes of the previous release write: during an upgrade these continue, with keys of their own rules. Each
 * read by keys first looks into an index for such users, and reindexes them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, MongoError } from 'mongodb';
import { DomainError } from '../../../../domain/base/errors.ts';
import { keyedByIndex } from '../documents/indexes.ts';
import { type AnyDocumentType, currentRules } from '../documents/stored-document.ts';
import { compareRules, reindexAgain } from './reindex.ts';
import type { AnyDocument } from './reindexing.ts';

export interface CatchUpOptions {
  /** On the primary, which has every answered write. */
  readonly documents: Collection<AnyDocument>;
  readonly type: AnyDocumentType;
  readonly maxTimeMS: number;
  /** Called when the names of two users have become equal. */
  readonly onFault: (cause: Error) => void;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  /** Rules whose keys stay unchanged: those of this release and of later ones. */
  readonly #known = new Set([currentRules]);
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /**
   * Returns when reads find all users that were written before the call.
   * @throws DomainError `unavailable` when that takes longer than a read may; reindexing continues
   */
  async run(): Promise<void> {
    if (!(await this.#isNeeded())) return;
    const timer = new AbortController();
    const limit = pause(this.#options.maxTimeMS, 'late', { signal: timer.signal, ref: false });
    try {
      const first = await Promise.race([this.#reindex(), limit]);
      if (first === 'late')
        throw new DomainError('unavailable', 'Users of the release before are being reindexed.');
    } finally {
      limit.catch(() => {});
      timer.abort();
    }
  }

  async #isNeeded(): Promise<boolean> {
    const { documents, maxTimeMS } = this.#options;
    const options = { hint: keyedByIndex, projection: { _id: 0, keyedBy: 1 }, maxTimeMS } as const;
    for (;;) {
      const found = await documents.findOne({ keyedBy: { $nin: [...this.#known] } }, options);
      if (found === null) return false;
      const keyedBy = typeof found.keyedBy === 'string' ? found.keyedBy : null;
      if (keyedBy === null || compareRules(keyedBy) === 'outdated') return true;
      this.#known.add(keyedBy);
    }
  }

  /** A run in progress may have passed the users in question, so callers wait for the next one, which they share. */
  #reindex(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#running = reindexAgain(this.#options.documents, this.#options.type).catch((cause: unknown) =>
          this.#fail(cause),
        );
        return this.#running;
      });
    return this.#next;
  }

  #fail(cause: unknown): never {
    if (!(cause instanceof Error) || cause instanceof MongoError) throw cause;
    this.#options.onFault(cause);
    throw new DomainError('unavailable', 'The store is not ready.', { cause });
  }
}
