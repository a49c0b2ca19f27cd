/** Reads the body of a Bulk (RFC 7644 §3.7), and the references between its operations. */

import type { Ids } from '../../../../domain/ports.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { eraseOf, parseQuery } from '../../../http/pipeline/query.ts';
import { HttpProblem } from '../../../http/problems/problems.ts';
import { bulkUrn, readMembers } from '../protocol/messages.ts';
import type { Endpoint } from '../protocol/service.ts';
import { ScimError } from '../resource/errors.ts';
import { isNamed } from '../resource/fold-name.ts';
import { checkSchemas } from '../resource/read-resource.ts';
import { invalidSyntax, showName } from '../resource/read-value.ts';

export const maxBulkOperations = 1000;
/** In bytes, after decoding. */
export const maxBulkBytes = 1024 * 1024;
/** Usual users take twice as many bytes per value. */
export const maxBulkValues = maxBulkBytes / 8;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One operation. An error in it doesn't affect the other operations. */
export interface BulkOperation {
  readonly method: (typeof methods)[number];
  /** Such as `/Users` or `/Users/{id}`. */
  readonly path: string;
  /** Where the path leads; undefined for a path of no endpoint: the operation fails. */
  readonly endpoint: Endpoint | undefined;
  /** The rest of the path behind the endpoint, if any. */
  readonly rest: string | undefined;
  readonly bulkId: string | undefined;
  /** An entity tag that the resource must still have. */
  readonly version: string | undefined;
  readonly data: unknown;
  /** For a DELETE: `?erase=true` after its path. */
  readonly erase: boolean;
}

export interface BulkRequest {
  /** The number of errors after which the remaining operations are skipped; unlimited by default. */
  readonly failOnErrors: number;
  readonly operations: readonly BulkOperation[];
}

function textOf(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw invalidSyntax(`${place} must be a text.`);
}

/** As in the example of RFC 7644 §3.7.3, the operations alone are a PATCH. */
const completePatch = (data: unknown): unknown => (Array.isArray(data) ? { Operations: data } : data);

function readOperation(value: unknown, index: number, endpoints: readonly Endpoint[]): BulkOperation {
  const place = `Operations[${index}]`;
  const members = readMembers(value, ['method', 'path', 'bulkId', 'version', 'data'], place);
  const written = textOf(members.get('method'), `${place}.method`) ?? '';
  const method = methods.find((one) => isNamed(written, one));
  if (method === undefined) throw invalidSyntax(`${place}.method must be one of ${methods.join(', ')}.`);
  const given = textOf(members.get('path'), `${place}.path`);
  if (given === undefined) throw invalidSyntax(`${place}.path is missing.`);
  const bulkId = textOf(members.get('bulkId'), `${place}.bulkId`);
  const [path = '', ...query] = method === 'DELETE' ? given.split('?') : [given];
  const [, head, rest] = /^(\/[^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  return {
    ...{ method, path, endpoint: endpoints.find(({ type }) => type.endpoint === head), rest },
    erase: eraseOf(parseQuery(query.join('?'), { names: ['erase'], whose: place })),
    bulkId: bulkId === '' ? undefined : bulkId,
    version: textOf(members.get('version'), `${place}.version`),
    data: method === 'PATCH' ? completePatch(members.get('data')) : members.get('data'),
  };
}

function readFailOnErrors(value: unknown): number {
  if (value === undefined || value === null) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new ScimError('invalidValue', 'failOnErrors must be a whole number from 1 on.');
}

/** @throws ScimError; HttpProblem 413 for too many operations */
export function readBulkRequest(body: unknown, endpoints: readonly Endpoint[]): BulkRequest {
  const members = readMembers(body, ['schemas', 'failOnErrors', 'Operations']);
  checkSchemas(members.get('schemas'), bulkUrn, ['BulkRequest'], invalidSyntax);
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of operations.');
  if (operations.length > maxBulkOperations)
    throw new HttpProblem('body-too-large', `A Bulk has at most ${maxBulkOperations} operations.`);
  const failOnErrors = readFailOnErrors(members.get('failOnErrors'));
  const read = operations.map((one, index) => readOperation(one, index, endpoints));
  const ids = read.flatMap(({ bulkId }) => bulkId ?? []);
  const seen = new Set<string>();
  const repeated = ids.find((id) => seen.size === seen.add(id).size);
  if (repeated !== undefined)
    throw new ScimError('invalidValue', `bulkId ${showName(repeated)} occurs more than once.`);
  return { failOnErrors, operations: read };
}

/** Stands in front of the bulkId in a reference. */
export const prefix = 'bulkId:';

/** The path of the resource that a POST with this path and bulkId creates. */
export const referencePath = (path: string, bulkId: string): string => `${path}/${prefix}${bulkId}`;

/**
 * References between the operations of a Bulk (RFC 7644 §3.7.2). Resources to be created get their ids in advance, so that operations can
 * refer to them in any order, even in circles.
 */
export class BulkIds {
  /** The new resources by `bulkId`, with the name of their kind for people. */
  readonly #created = new Map<string, { readonly id: string; readonly kind: string }>();
  readonly #failed = new Set<string>();

  constructor(operations: readonly BulkOperation[], { id: newId }: Pick<Ids, 'id'>) {
    for (const { method, bulkId, endpoint } of operations)
      if (method === 'POST' && bulkId !== undefined)
        this.#created.set(bulkId, { id: newId(), kind: endpoint?.type.kind.name ?? 'resource' });
  }

  /** @returns undefined for a resource without a `bulkId`, to which nothing refers */
  idOf({ bulkId = '' }: BulkOperation): string | undefined {
    return this.#created.get(bulkId)?.id;
  }

  /** Operations that refer to it from now on fail as well. */
  fail(bulkId: string): void {
    this.#failed.add(bulkId);
  }

  /** Resolves a reference; returns any other text unchanged. Undefined for a resource that this Bulk doesn't create. */
  find(text: string): string | undefined {
    if (!text.startsWith(prefix)) return text;
    const bulkId = text.slice(prefix.length);
    return this.#failed.has(bulkId) ? undefined : this.#created.get(bulkId)?.id;
  }

  /** @throws ScimError for a resource that this Bulk doesn't create */
  #resolve(text: string): string {
    const found = this.find(text);
    if (found !== undefined) return found;
    const bulkId = text.slice(prefix.length);
    const kind = this.#created.get(bulkId)?.kind;
    throw new ScimError(
      'invalidValue',
      kind === undefined
        ? `No operation has the bulkId ${showName(bulkId)}, to which another one refers.`
        : `A ${kind} is referred to that could not be created.`,
    );
  }

  /** Replaces references in the value with ids. @throws ScimError */
  replaceIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#resolve(value);
    if (Array.isArray(value)) return value.map((item) => this.replaceIn(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.replaceIn(member)]));
  }
}

/** All texts in the value, but no names of members. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The bulkIds that the value refers to. */
export const referencesIn = (value: unknown): readonly string[] =>
  textsIn(value).flatMap((text) => (text.startsWith(prefix) ? [text.slice(prefix.length)] : []));
