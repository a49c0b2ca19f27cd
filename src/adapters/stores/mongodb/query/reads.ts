/** Reads of users. MongoDB ends each in time, and none looks at more than an index names. */
import type { Collection } from 'mongodb';
import { joinKey } from '../../../../domain/find/keys.ts';
import type { Count, UserQuery } from '../../../../domain/ports.ts';
import type { StoredUser } from '../../../../domain/user/stored-user.ts';
import { idIndex, keysIndex } from '../documents/indexes.ts';
import {
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

export class MongoReads {
  readonly #users: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #pages: Pages;

  constructor(users: Collection<UserDocument>, { maxTimeMS, mostSorted }: ReadOptions) {
    this.#users = users;
    this.#limits = { maxTimeMS };
    this.#pages = new Pages(users, { maxTimeMS, most: mostSorted });
  }

  async find(id: string): Promise<StoredUser | undefined> {
    const found = await this.#users.findOne<ProjectedDocument>({ _id: id }, this.#limits);
    return found ? readStored(found) : undefined;
  }

  async findAll(ids: readonly string[]): Promise<Map<string, StoredUser>> {
    const options = { ...this.#limits, hint: idIndex, batchSize: ids.length };
    const documents = this.#users.find({ _id: { $in: [...ids] } }, options);
    const found = new Map<string, StoredUser>();
    for await (const document of documents.project<ProjectedDocument>(withoutDerived))
      found.set(document._id, readStored(document));
    return found;
  }

  async findAllBy(
    filter: string,
    keys: readonly string[],
    limit: number,
  ): Promise<Map<string, readonly StoredUser[]>> {
    const wanted = new Map(keys.map((key) => [joinKey([filter, key]), key]));
    const found = new Map<string, StoredUser[]>();
    // Where a key is that of very many, the others' users would be missed among them.
    const most = wanted.size * limit;
    const documents = await this.#users
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
        if (users.length < limit) users.push(readStored(document));
        found.set(key, users);
      }
    return found;
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    const documents = await this.#pages.read(query);
    return documents.map((document) => readStored(document, query.sort?.by));
  }

  async count(conditions: Count): Promise<number> {
    return await this.#pages.count(conditions);
  }
}
