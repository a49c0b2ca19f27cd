/** The notes of commands: see `UserStore.mark`. */
import type { Collection, Db } from 'mongodb';
import type { SentId } from '../connection/driver-errors.ts';
import type { Operations } from '../connection/operations.ts';

const collectionName = 'marks';
interface Mark<Id = string> {
  readonly _id: Id;
  readonly value: string;
}

export class Marks {
  readonly #operations: Operations;
  readonly #marks: Collection<Mark>;
  readonly #outgoing: Collection<Mark<SentId>>;
  readonly #limits: { readonly maxTimeMS: number };

  constructor(operations: Operations, db: Db, maxTimeMS: number) {
    this.#operations = operations;
    this.#marks = db.collection(collectionName);
    this.#outgoing = db.collection(collectionName);
    this.#limits = { maxTimeMS };
  }

  async find(name: string): Promise<string | undefined> {
    const found = await this.#operations.read(() => this.#marks.findOne({ _id: name }, this.#limits));
    return found?.value;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#operations.write(name, (_id) =>
      this.#outgoing.updateOne({ _id }, { $set: { value } }, { upsert: true, ...this.#limits }),
    );
  }
}
