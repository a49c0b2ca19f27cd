/** Reads the body of a Bulk (RFC 7644 §3.7). */
import { eraseOf, parseQuery } from '../../../http/pipeline/query.ts';
import { HttpProblem } from '../../../http/problems/problems.ts';
import { bulkUrn, readMembers } from '../protocol/messages.ts';
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
type BulkMethod = (typeof methods)[number];

/** One operation. An error in it doesn't affect the other operations. */
export interface BulkOperation {
  readonly method: BulkMethod;
  /** Such as `/Users` or `/Users/{id}`. */
  readonly path: string;
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

function readOperation(value: unknown, index: number): BulkOperation {
  const place = `Operations[${index}]`;
  const members = readMembers(value, ['method', 'path', 'bulkId', 'version', 'data'], place);
  const written = textOf(members.get('method'), `${place}.method`) ?? '';
  const method = methods.find((one) => isNamed(written, one));
  if (method === undefined) throw invalidSyntax(`${place}.method must be one of ${methods.join(', ')}.`);
  const given = textOf(members.get('path'), `${place}.path`);
  if (given === undefined) throw invalidSyntax(`${place}.path is missing.`);
  const bulkId = textOf(members.get('bulkId'), `${place}.bulkId`);
  const [path = '', ...query] = method === 'DELETE' ? given.split('?') : [given];
  return {
    method,
    path,
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
export function readBulkRequest(body: unknown): BulkRequest {
  const members = readMembers(body, ['schemas', 'failOnErrors', 'Operations']);
  checkSchemas(members.get('schemas'), bulkUrn, ['BulkRequest'], invalidSyntax);
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of operations.');
  if (operations.length > maxBulkOperations)
    throw new HttpProblem('body-too-large', `A Bulk has at most ${maxBulkOperations} operations.`);
  const failOnErrors = readFailOnErrors(members.get('failOnErrors'));
  const read = operations.map(readOperation);
  const ids = read.flatMap(({ bulkId }) => bulkId ?? []);
  const seen = new Set<string>();
  const repeated = ids.find((id) => seen.size === seen.add(id).size);
  if (repeated !== undefined)
    throw new ScimError('invalidValue', `bulkId ${showName(repeated)} occurs more than once.`);
  return { failOnErrors, operations: read };
}
