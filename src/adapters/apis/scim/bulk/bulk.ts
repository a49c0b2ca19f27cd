/**
 * POST /Bulk (RFC 7644 §3.7): many writes in one request, each with its own result.
 *
 * 1. `request.ts` reads the body and rejects it as a whole if one of its operations is malformed.
 * 2. Each resource to be created gets its id now, so that any operation can refer to it by `bulkId` (`BulkIds`).
 * 3. `batches.ts` puts new members in front of their groups, and takes the next operations that can run concurrently without changing the result.
 * 4. Each operation calls the same writes as a single request (`endpoint/writes.ts`). Its error becomes its result.
 * 5. Steps 3 and 4 repeat until no operation is left, or `failOnErrors` is reached.
 *
 * A first reading may skip `batches.ts`: running the operations in sequence would also be correct, but slower.
 */

import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { requireAny, scopeOf } from '../../../../domain/scopes.ts';
import type { Precondition } from '../../../../domain/use-cases/resource-writes.ts';
import { resourceNotFound } from '../../../../domain/validation/errors.ts';
import { canonicalUuid } from '../../../../domain/validation/plain-values.ts';
import { assertPresent, type Context, clientOf, type ReceivedBody } from '../../../http/pipeline/context.ts';
import { HttpProblem, problemOf } from '../../../http/problems/problems.ts';
import { Slices } from '../../../scheduler/slices.ts';
import { createFrom, patchFrom, replaceFrom } from '../endpoint/writes.ts';
import {
  bulkResponseUrn,
  messageCodec,
  parseMessage,
  sendDocument,
  useLargeBody,
} from '../protocol/messages.ts';
import { errorOf } from '../protocol/problems.ts';
import {
  type Endpoint,
  locationOf,
  lockOf,
  principalOf,
  type ScimService,
  tagOf,
} from '../protocol/service.ts';
import { orderOperations, takeBatch } from './batches.ts';
import { BulkIds, type BulkOperation, type BulkRequest, maxBulkValues, readBulkRequest } from './request.ts';

/** The result of an operation, as in the response. */
interface Outcome {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly status: string;
  readonly response?: unknown;
}

const codec = messageCodec(maxBulkValues);

/** Runs the operations of one request. */
class BulkRun {
  readonly #ctx: Context;
  readonly #service: ScimService;
  readonly #ids: BulkIds;
  readonly #slices: Slices;
  /** The reason why the store did not write the last batch. The next batches aren't tried: each would wait for the store for seconds. */
  #outage: unknown;

  constructor(ctx: Context, service: ScimService, operations: readonly BulkOperation[]) {
    [this.#ctx, this.#service] = [ctx, service];
    this.#slices = new Slices(clientOf(ctx));
    this.#ids = new BulkIds(operations, service.ids);
  }

  /** @returns results in the order of the request */
  async performAll({ operations, failOnErrors }: BulkRequest): Promise<Outcome[]> {
    const outcomes = new Map<BulkOperation, Outcome>();
    const ordered = await this.#slices.run(orderOperations(operations));
    let errors = 0;
    while (outcomes.size < ordered.length && errors < failOnErrors) {
      const left = ordered.slice(outcomes.size);
      const batch = await this.#slices.run(takeBatch(left, failOnErrors - errors));
      const done = await this.#performBatch(batch);
      errors += done.filter(({ status }) => Number(status) >= 400).length;
      for (const [at, operation] of batch.entries()) outcomes.set(operation, assertPresent(done[at]));
    }
    return operations.flatMap((operation) => outcomes.get(operation) ?? []);
  }

  /** Starts the operations in order, and lets other requests run in between. */
  async #performBatch(batch: readonly BulkOperation[]): Promise<readonly Outcome[]> {
    const outcomes: Promise<Outcome>[] = [];
    const outage = this.#outage;
    for (const operation of batch) {
      await this.#slices.pause();
      outcomes.push(this.#perform(operation, outage));
    }
    const done = await Promise.all(outcomes);
    if (done.some(({ status }) => status !== '503')) this.#outage = undefined;
    return done;
  }

  /** Never throws: an error becomes the operation's result. @param outage the error of an operation that isn't tried */
  async #perform(operation: BulkOperation, outage: unknown): Promise<Outcome> {
    const { method, bulkId } = operation;
    const named = { method, ...(bulkId === undefined ? {} : { bulkId }) };
    try {
      if (outage !== undefined) throw outage;
      return { ...named, ...(await this.#write(operation)) };
    } catch (error) {
      if (bulkId !== undefined) this.#ids.fail(bulkId);
      const problem = problemOf(error, this.#service.problems);
      if (problem.type.status === 503) this.#outage = error;
      if (problem.type.status >= 500) this.#ctx.app.emit('error', error, this.#ctx);
      const { status, ...rest } = errorOf(problem);
      const location = method === 'POST' ? {} : this.#locationOf(operation);
      return { ...named, ...location, status, response: { ...rest, status } };
    }
  }

  #locationOf({ endpoint, rest = '' }: BulkOperation): { location?: string } {
    const id = canonicalUuid(this.#ids.find(rest) ?? '');
    return endpoint === undefined || id === undefined ? {} : { location: locationOf(endpoint, id) };
  }

  /** @throws HttpProblem 404 unless the path is an endpoint (for a POST) or leads below one (for other methods) */
  #endpointOf({ method, endpoint, rest }: BulkOperation): Endpoint {
    if (endpoint !== undefined && (rest === undefined) === (method === 'POST')) return endpoint;
    const paths = this.#service.endpoints.map(({ type }) => `${type.endpoint} and to ${type.endpoint}/{id}`);
    throw new HttpProblem('no-such-resource', `Operations go to ${paths.join(', ')}.`);
  }

  async #write(operation: BulkOperation): Promise<Omit<Outcome, 'method' | 'bulkId'>> {
    const { method, rest } = operation;
    const principal = principalOf(this.#ctx);
    const body = this.#ids.replaceIn(operation.data);
    const endpoint = this.#endpointOf(operation);
    if (method === 'POST') {
      const id = this.#ids.idOf(operation);
      return this.#written('201', endpoint, await createFrom(endpoint, { principal, body, id }));
    }
    const id = canonicalUuid(String(this.#ids.replaceIn(rest)));
    if (id === undefined) throw resourceNotFound(endpoint.type.kind.name, false);
    const lock = this.#lockOf(operation, endpoint);
    if (method === 'DELETE') {
      await endpoint.resources.remove(principal, id, lock, operation.erase);
      return { location: locationOf(endpoint, id), status: '204' };
    }
    const update = method === 'PUT' ? replaceFrom : patchFrom;
    return this.#written('200', endpoint, await update(endpoint, { principal, id, body, lock }));
  }

  #written(status: string, endpoint: Endpoint, stored: Stored<Resource>) {
    const version = tagOf(endpoint, stored, assertPresent(this.#ctx.state.choice));
    return { location: locationOf(endpoint, stored.id), version, status };
  }

  /** `version` stands for If-Match (RFC 7644 §3.7). */
  #lockOf({ version }: BulkOperation, endpoint: Endpoint): Precondition | undefined {
    const headers = version === undefined || version === '' ? {} : { 'if-match': version };
    return lockOf(headers, endpoint);
  }
}

async function answerBulk(ctx: Context, service: ScimService, body: ReceivedBody): Promise<void> {
  const request = readBulkRequest(await parseMessage(ctx, body, codec), service.endpoints);
  const run = new BulkRun(ctx, service, request.operations);
  const Operations = await run.performAll(request);
  const content = JSON.stringify({ schemas: [bulkResponseUrn], Operations });
  await sendDocument(ctx, { status: 200, content, fields: ['Cache-Control', 'no-store'] });
}

/** Each operation needs its own scope. A client that may not write at all is refused before its body is read. */
export async function performBulk(ctx: Context, service: ScimService): Promise<void> {
  requireAny(
    principalOf(ctx),
    service.endpoints.flatMap(({ type: { kind } }) => [
      scopeOf(kind.name, 'create'),
      scopeOf(kind.name, 'remove'),
    ]),
  );
  const body = await ctx.state.mounted.readBody(ctx);
  await useLargeBody(ctx, () => answerBulk(ctx, service, body));
}
