/** Reads of one kind. MongoDB ends each in time, and none looks at more than an index names. */
import type { Collection } from 'mongodb';
import { joinKey } from '../../../../domain/find/keys.ts';
import type { Count, Query } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { idIndex, keysIndex } from '../documents/indexes.ts';
import {
  type DocumentType,
  type ProjectedDocument,
  readStored,
  type UserDocument,
  withoutDerived,
} from '../documents/stored-document.ts';
import { Pages } from './pages.ts';

/** Another program may have written them. */
const keysOf = ({ keys }: ProjectedDocument): Set<string> =>
  new Set(Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []);

export interface ReadOptions {
  readonly maxTimeMS: number;
  /** See `FewestOptions.most`. */
  readonly mostSorted?: number;
}

export class MongoReads<T extends Resource> {
  readonly #type: DocumentType<T>;
  readonly #documents: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #pages: Pages;

  constructor(
    documents: Collection<UserDocument>,
    type: DocumentType<T>,
    { maxTimeMS, mostSorted }: ReadOptions,
  ) {
    this.#type = type;
    this.#documents = documents;
    this.#limits = { maxTimeMS };
    this.#pages = new Pages(documents, { maxTimeMS, most: mostSorted });
  }

  async find(id: string): Promise<Stored<T> | undefined> {
    const found = await this.#documents.findOne<ProjectedDocument>({ _id: id }, this.#limits);
    return found ? readStored(this.#type, found) : undefined;
  }

  async findAll(ids: readonly string[]): Promise<Map<string, Stored<T>>> {
    const options = { ...this.#limits, hint: idIndex, batchSize: ids.length };
    const documents = this.#documents.find({ _id: { $in: [...ids] } }, options);
    const found = new Map<string, Stored<T>>();
    for await (const document of documents.project<ProjectedDocument>(withoutDerived))
      found.set(document._id, readStored(this.#type, document));
    return found;
  }

  async findAllBy(
    filter: string,
    keys: readonly string[],
    limit: number,
  ): Promise<Map<string, readonly Stored<T>[]>> {
    const wanted = new Map(keys.map((key) => [joinKey([filter, key]), key]));
    const found = new Map<string, Stored<T>[]>();
    // Where a key is that of very many, the others' users would be missed among them.
    const most = wanted.size * limit;
    const documents = await this.#documents
      .find<ProjectedDocument>(
        { keys: { $in: [...wanted.keys()] } },
        { ...this.#limits, hint: keysIndex, limit: most + 1, batchSize: most + 1 },
      )
      .toArray();
    if (documents.length > most && wanted.size > 1) {
      for (const key of wanted.values())
        for (const [, users] of await this.findAllBy(filter, [key], limit)) found.set(key, users.slice());
      return found;
    }
    for (const document of documents)
      for (const joined of keysOf(document)) {
        const key = wanted.get(joined);
        if (key === undefined) continue;
        const users = found.get(key) ?? [];
        if (users.length < limit) users.push(readStored(this.#type, document));
        found.set(key, users);
      }
    return found;
  }

  async list(query: Query): Promise<Stored<T>[]> {
    const documents = await this.#pages.read(query);
    return documents.map((document) => readStored(this.#type, document));
  }

  async count(conditions: Count): Promise<number> {
    return await this.#pages.count(conditions);
  }
}
