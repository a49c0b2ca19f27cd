/** The documents of one kind in MongoDB: what the stores of users and groups share. */
import type { Collection, Document } from 'mongodb';
import { isEverybody } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import type { Count, Query } from '../../../domain/ports.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { SentId } from './connection/driver-errors.ts';
import type { Operations } from './connection/operations.ts';
import { type DocumentType, toDocument, toUpdate, type UserDocument } from './documents/stored-document.ts';
import type { CatchUp } from './layout/catch-up.ts';
import type { Memberships } from './query/memberships.ts';
import type { MongoReads } from './query/reads.ts';

export interface RowsParts<T extends Resource> {
  readonly type: DocumentType<T>;
  readonly operations: Operations;
  readonly reads: MongoReads<T>;
  readonly catchUp: CatchUp;
  readonly outgoing: Collection<UserDocument<SentId>>;
  readonly memberships: Memberships;
  readonly maxTimeMS: number;
}

export class MongoRows<T extends Resource> {
  readonly #parts: RowsParts<T>;

  constructor(parts: RowsParts<T>) {
    this.#parts = parts;
  }

  async find(id: string): Promise<Stored<T> | undefined> {
    const { operations, reads } = this.#parts;
    return await operations.read(() => reads.find(id));
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<T>>> {
    const { operations, reads } = this.#parts;
    return await operations.read(() => reads.findAll(ids));
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Stored<T>[]>> {
    const { operations, reads, catchUp } = this.#parts;
    return await operations.read(async () => {
      await catchUp.run();
      return await reads.findAllBy(filter, keys, limit);
    });
  }

  async list(query: Query): Promise<Stored<T>[]> {
    const { operations, reads, catchUp, memberships } = this.#parts;
    const isByKeys = query.sort?.by !== undefined || !isEverybody(query.where);
    return await operations.read(async () => {
      if (isByKeys) await catchUp.run();
      return await memberships.reading(query, (where) => reads.list({ ...query, where }));
    });
  }

  async count(conditions: Count): Promise<number> {
    const { operations, reads, catchUp, memberships } = this.#parts;
    return await operations.read(async () => {
      if (!isEverybody(conditions.where)) await catchUp.run();
      return await memberships.reading(conditions, (where) => reads.count({ ...conditions, where }));
    });
  }

  /** @param beside what the store keeps beside the document */
  protected async insertDocument(resource: Stored<T>, beside: Document = {}): Promise<void> {
    const { operations, outgoing, type, maxTimeMS } = this.#parts;
    await operations.write(
      resource.id,
      (id) => outgoing.insertOne({ ...toDocument(resource, id, type), ...beside }, { maxTimeMS }),
      type.kind.name,
    );
  }

  async replace(resource: Stored<T>, version: string): Promise<boolean> {
    const { operations, outgoing, type, maxTimeMS } = this.#parts;
    const { matchedCount } = await operations.write(
      resource.id,
      (_id) =>
        outgoing.updateOne({ _id, ...type.withVersion(version) }, toUpdate(toDocument(resource, '', type)), {
          maxTimeMS,
        }),
      type.kind.name,
    );
    return matchedCount === 1;
  }
}
