import { documentChecker } from '../resource/document-check.ts';
import { type FoundDocument, Stored } from '../resource/stored.ts';
import { User } from './user.ts';

const checkUser = documentChecker<User>('user', User);

/** A user as stores take and return it. `maxUserBytes` limits its text. */
export class StoredUser extends Stored<User> {
  /** Printed at once: later changes of `user` have no effect on it. */
  static of(user: User): StoredUser {
    return new StoredUser(JSON.stringify(user));
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string): StoredUser {
    return new StoredUser(text);
  }

  /** From a document that another program may have written: it is checked on first use. */
  static fromDocument(found: FoundDocument): StoredUser {
    return new StoredUser(undefined, found);
  }

  /** As `value`. */
  get user(): User {
    return this.value;
  }

  protected checkDocument(id: string, document: unknown) {
    return checkUser(id, document);
  }
}
