/** Reads the body of a Bulk (RFC 7644 §3.7). */
import { isObject } from '../../../../domain/base/plain-values.ts';
import { HttpProblem } from '../../../http/problems/problems.ts';
import { bulkUrn } from '../base/messages.ts';
import { ScimError } from '../resource/errors.ts';
import { hasUrn, isNamed } from '../resource/fold-name.ts';

export const maxOperations = 1000;
/** After decoding. */
export const maxBulkBytes = 1024 * 1024;
/** Names and texts of usual users take twice as much of the body for each value. */
export const maxBulkValues = maxBulkBytes / 8;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type BulkMethod = (typeof methods)[number];

/** One operation. What is wrong with it by itself is its own error, and not that of the others. */
export interface BulkOperation {
  readonly method: BulkMethod;
  /** `/Users`, or a user's. */
  readonly path: string;
  readonly bulkId: string | undefined;
  /** A tag that the user must still have. */
  readonly version: string | undefined;
  readonly data: unknown;
}

export interface BulkRequest {
  /** Of errors, after which the rest is left undone; none where it is left out. */
  readonly failOnErrors: number;
  readonly operations: readonly BulkOperation[];
}

/** By lower-case name. @throws ScimError for a name that is not known, or stands twice in different cases */
function membersOf(value: unknown, names: readonly string[], place: string): ReadonlyMap<string, unknown> {
  if (!isObject(value)) throw new ScimError('invalidSyntax', `${place} must be an object.`);
  const members = new Map<string, unknown>();
  for (const [written, member] of Object.entries(value)) {
    const name = names.find((known) => isNamed(written, known));
    if (name === undefined || members.has(name))
      throw new ScimError('invalidSyntax', `${place} has members ${names.join(', ')}, each once.`);
    members.set(name, member);
  }
  return members;
}

function textOf(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ScimError('invalidSyntax', `${place} must be a text.`);
}

function readOperation(value: unknown, index: number): BulkOperation {
  const place = `Operations[${index}]`;
  const members = membersOf(value, ['method', 'path', 'bulkId', 'version', 'data'], place);
  const given = textOf(members.get('method'), `${place}.method`) ?? '';
  const method = methods.find((one) => isNamed(given, one));
  if (method === undefined)
    throw new ScimError('invalidSyntax', `${place}.method must be one of ${methods.join(', ')}.`);
  const path = textOf(members.get('path'), `${place}.path`);
  if (path === undefined) throw new ScimError('invalidSyntax', `${place}.path is missing.`);
  const bulkId = textOf(members.get('bulkId'), `${place}.bulkId`);
  return {
    method,
    path,
    bulkId: bulkId === '' ? undefined : bulkId,
    version: textOf(members.get('version'), `${place}.version`),
    data: members.get('data'),
  };
}

function readFailOnErrors(value: unknown): number {
  if (value === undefined || value === null) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new ScimError('invalidValue', 'failOnErrors must be a whole number from 1 on.');
}

/** @throws ScimError; HttpProblem 413 for too many operations */
export function readBulkRequest(body: unknown): BulkRequest {
  const members = membersOf(body, ['schemas', 'failOnErrors', 'Operations'], 'The body');
  if (!hasUrn(members.get('schemas'), bulkUrn))
    throw new ScimError('invalidSyntax', `schemas must be ["${bulkUrn}"].`);
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError('invalidSyntax', 'Operations must be a list of operations.');
  if (operations.length > maxOperations)
    throw new HttpProblem('body-too-large', `A Bulk has at most ${maxOperations} operations.`);
  const failOnErrors = readFailOnErrors(members.get('failOnErrors'));
  const read = operations.map(readOperation);
  const ids = read.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(ids).size < ids.length) throw new ScimError('invalidValue', 'A bulkId stands more than once.');
  return { failOnErrors, operations: read };
}
