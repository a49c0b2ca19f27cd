/** Changes one user, and finds out what came of it. */
import {
  createUser,
  type Outcome,
  readUser,
  removeUser,
  replaceUser,
  type Tagged,
  type UserInput,
} from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { dropEmpty, isEqual, type Json, type JsonObject } from '../schema/documents.ts';

interface Done {
  readonly kind: 'done';
  readonly now: Tagged;
  /** Nothing came back at first, and then it turned out to be done. */
  readonly isFound: boolean;
  /** It was done by an attempt before this one, which had sent something else. */
  readonly isOlder?: boolean;
}

export type Change =
  | Done
  /** Somebody else was first: nothing of ours was written. */
  | { readonly kind: 'overtaken'; readonly theirs: Tagged }
  /** The user is gone. */
  | { readonly kind: 'gone' }
  /** Nothing came back, and it turned out that nothing was done. */
  | { readonly kind: 'not-done' }
  /** Nothing came back, and it can't be found out now either. */
  | { readonly kind: 'unknown'; lookAgain(): Promise<Change> }
  | { readonly kind: 'refused'; readonly failure: Failure };

const withoutMeta = (user: object): Json | undefined => {
  const { meta: _meta, ...rest } = user as JsonObject;
  return dropEmpty(rest);
};

/** What is sent may be a user as it was read, `meta` included. */
const isAsSent = (user: object, sent: JsonObject): boolean => isEqual(withoutMeta(user), withoutMeta(sent));

const refused = (failure: Failure): Change => ({ kind: 'refused', failure });

/** After a 412. */
async function readTheirs(id: string): Promise<Change> {
  const read = await readUser(id);
  if (read.ok) return { kind: 'overtaken', theirs: read.value };
  return read.failure.status === 404 ? { kind: 'gone' } : refused(read.failure);
}

/** After an outcome that isn't known. @param before the version that was to be changed; none where it was to be created */
async function findOut(id: string, before: string | undefined, sent: JsonObject): Promise<Change> {
  const read = await readUser(id);
  if (!read.ok) {
    if (read.failure.status !== 404) return { kind: 'unknown', lookAgain: () => findOut(id, before, sent) };
    return before === undefined ? { kind: 'not-done' } : { kind: 'gone' };
  }
  const { user } = read.value;
  if (user.meta.version === before) return { kind: 'not-done' };
  const isOurs = before === undefined || isAsSent(user, sent);
  return isOurs
    ? { kind: 'done', now: read.value, isFound: true }
    : { kind: 'overtaken', theirs: read.value };
}

/** Finds the user who was to be created under an id of our own. */
async function foundCreated(id: string, sent: JsonObject, failure: Failure): Promise<Change> {
  const read = await readUser(id);
  if (!read.ok) return refused(failure);
  const isOlder = !isAsSent(read.value.user, sent);
  return { kind: 'done', now: read.value, isFound: true, isOlder };
}

const isIdTaken = ({ status, violations }: Failure): boolean =>
  status === 409 && violations.some(({ pointer }) => pointer === '/id');

/** @param document whole, with an id that nobody has: so it can be sent again */
export async function create(document: JsonObject): Promise<Change> {
  const id = String(document.id);
  const created = await createUser(document as unknown as UserInput);
  if (created.ok) return { kind: 'done', now: created.value, isFound: false };
  const { failure } = created;
  if (failure.kind === 'unknown') return findOut(id, undefined, document);
  return isIdTaken(failure) ? foundCreated(id, document, failure) : refused(failure);
}

async function changeOf(sent: Outcome<Tagged>, base: Tagged, document: JsonObject): Promise<Change> {
  if (sent.ok) return { kind: 'done', now: sent.value, isFound: false };
  const { failure } = sent;
  const { id, meta } = base.user;
  if (failure.kind === 'unknown') return findOut(id, meta.version, document);
  if (failure.status === 412) return readTheirs(id);
  return failure.status === 404 ? { kind: 'gone' } : refused(failure);
}

/** @param base what the change was made to @param document whole, its id included */
export const replace = async (base: Tagged, document: JsonObject): Promise<Change> =>
  changeOf(await replaceUser(base.user.id, base.tag, document as unknown as UserInput), base, document);

/** `gone` when it is done. */
export async function remove(base: Tagged): Promise<Change> {
  const { id, meta } = base.user;
  const removed = await removeUser(id, base.tag);
  if (removed.ok) return { kind: 'gone' };
  const { failure } = removed;
  if (failure.kind === 'unknown') return findOut(id, meta.version, {});
  if (failure.status === 412) return readTheirs(id);
  return failure.status === 404 ? { kind: 'gone' } : refused(failure);
}
