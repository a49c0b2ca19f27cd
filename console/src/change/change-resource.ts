/** Changes one resource and determines the outcome. */
import {
  createResource,
  readResource,
  removeResource,
  replaceResource,
  type Tagged,
} from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { dropEmpty, isEqual, type JsonObject } from '../schema/documents.ts';
import { documentOf, type KindName, type Ref, type Resource, refOf } from '../schema/kinds.ts';

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
  /** The resource is gone. */
  | { readonly kind: 'gone' }
  /** Nothing came back, and it turned out that nothing was done. */
  | { readonly kind: 'not-done' }
  /** Nothing came back, and it can't be found out now either. */
  | { readonly kind: 'unknown'; lookAgain(): Promise<Change> }
  | { readonly kind: 'refused'; readonly failure: Failure };

const isAsSent = (resource: Resource, sent: JsonObject): boolean =>
  isEqual(dropEmpty(documentOf(resource)), dropEmpty(sent));

const done = (now: Tagged, isFound = false): Done => ({ kind: 'done', now, isFound });
const refused = (failure: Failure): Change => ({ kind: 'refused', failure });

/** After a 412. */
async function readTheirs(ref: Ref): Promise<Change> {
  const read = await readResource(ref);
  if (read.ok) return { kind: 'overtaken', theirs: read.value };
  return read.failure.status === 404 ? { kind: 'gone' } : refused(read.failure);
}

/** After an outcome that isn't known. @param before the version that was to be changed; none where it was to be created */
async function findOut(ref: Ref, before: string | undefined, sent: JsonObject): Promise<Change> {
  const read = await readResource(ref);
  if (!read.ok) {
    if (read.failure.status !== 404) return { kind: 'unknown', lookAgain: () => findOut(ref, before, sent) };
    return before === undefined ? { kind: 'not-done' } : { kind: 'gone' };
  }
  const { resource } = read.value;
  if (resource.meta.version === before) return { kind: 'not-done' };
  const isOurs = before === undefined || isAsSent(resource, sent);
  return isOurs ? done(read.value, true) : { kind: 'overtaken', theirs: read.value };
}

/** Looks for a resource created by an earlier attempt, under the id that the console chose. */
async function foundCreated(ref: Ref, sent: JsonObject, failure: Failure): Promise<Change> {
  const read = await readResource(ref);
  if (!read.ok) return refused(failure);
  return { ...done(read.value, true), isOlder: !isAsSent(read.value.resource, sent) };
}

const isIdTaken = ({ status, violations }: Failure): boolean =>
  status === 409 && violations.some(({ pointer }) => pointer === '/id');

/** @param document whole, with an id that nobody has: so it can be sent again */
export async function create(kind: KindName, document: JsonObject): Promise<Change> {
  const ref = { kind, id: String(document.id) };
  const created = await createResource(kind, document);
  if (created.ok) return done(created.value);
  const { failure } = created;
  if (failure.isUnknown) return findOut(ref, undefined, document);
  return isIdTaken(failure) ? foundCreated(ref, document, failure) : refused(failure);
}

async function changeAfter(failure: Failure, { resource }: Tagged, document: JsonObject): Promise<Change> {
  const ref = refOf(resource);
  if (failure.isUnknown) return findOut(ref, resource.meta.version, document);
  if (failure.status === 412) return readTheirs(ref);
  return failure.status === 404 ? { kind: 'gone' } : refused(failure);
}

/** @param base what the change was made to @param document whole, its id included */
export async function replace(base: Tagged, document: JsonObject): Promise<Change> {
  const sent = await replaceResource(base, document);
  return sent.ok ? done(sent.value) : changeAfter(sent.failure, base, document);
}

/** `gone` when it is done. @param isErased as of `removeResource` */
export async function remove(base: Tagged, isErased = false): Promise<Change> {
  const removed = await removeResource(refOf(base.resource), base.tag, isErased);
  return removed.ok ? { kind: 'gone' } : changeAfter(removed.failure, base, {});
}
