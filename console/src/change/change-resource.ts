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
  /** There was no response, but the change turned out to be done. */
  readonly isFound: boolean;
  /** An earlier attempt with other content did it. */
  readonly isOlder?: boolean;
}

export type Change =
  | Done
  /** Another person was first: nothing was written. */
  | { readonly kind: 'overtaken'; readonly theirs: Tagged }
  /** The resource is gone. */
  | { readonly kind: 'gone' }
  /** There was no response, and nothing turned out to be done. */
  | { readonly kind: 'not-done' }
  /** There was no response, and the outcome cannot be found out now. */
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

/** After an unknown outcome. @param before the version to change; omitted for a creation */
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

/** @param document the whole resource, with a new id, so that it can be sent again @param operation as `createResource`, here and below */
export async function create(kind: KindName, document: JsonObject, operation?: string): Promise<Change> {
  const ref = { kind, id: String(document.id) };
  const created = await createResource(kind, document, operation);
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

/** @param base the changed version @param document the whole resource, with its id */
export async function replace(base: Tagged, document: JsonObject, operation?: string): Promise<Change> {
  const sent = await replaceResource(base, document, operation);
  return sent.ok ? done(sent.value) : changeAfter(sent.failure, base, document);
}

/** `gone` after a success. @param isErased as for `removeResource` */
export async function remove(base: Tagged, isErased = false, operation?: string): Promise<Change> {
  const removed = await removeResource(refOf(base.resource), base.tag, isErased, operation);
  return removed.ok ? { kind: 'gone' } : changeAfter(removed.failure, base, {});
}
