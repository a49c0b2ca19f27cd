/**
 * A request's body for koa-bodyparser: the parts of a stream that it uses. By itself koa-bodyparser has no limit over all requests, and
 * waits for ever for the rest of an interrupted body.
 *
 * A body's way (`core/read-body.ts`): memory is reserved for it (`request-budget.ts`), it arrives here, and it is decoded when it is whole
 * (`inflate.ts`).
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { BodyReservation } from './request-budget.ts';

/** In bytes, measured: the objects and the block of memory of a chunk, beside its content. koa-bodyparser keeps every chunk. */
const memoryOfChunk = 512;

export class BodyStream extends EventEmitter {
  /** Without Content-Encoding: koa-bodyparser gets the bytes as they came. */
  readonly headers: { readonly 'content-length'?: string | undefined };
  readonly #request: IncomingMessage;
  readonly #reservation: BodyReservation;

  constructor(request: IncomingMessage, reservation: BodyReservation) {
    super();
    this.#request = request;
    this.#reservation = reservation;
    this.headers = { 'content-length': request.headers['content-length'] };
  }

  /** Begins to read. @param makeError for a connection that ends before the body does */
  start(makeError: () => Error): this {
    const request = this.#request;
    request.on('data', this.#take);
    request.once('end', this.#end);
    request.once('error', this.fail);
    request.once('close', () => {
      if (!request.complete) this.fail(makeError());
    });
    return this;
  }

  /** Final: koa-bodyparser calls it on a body that is too large. */
  pause(): void {
    this.#request.off('data', this.#take).off('end', this.#end);
    this.#request.pause();
  }

  readonly fail = (error: Error): void => {
    // A stream that has ended already has no listeners.
    if (this.listenerCount('error') > 0) this.emit('error', error);
  };

  readonly #take = (chunk: Buffer): void => {
    this.#reservation.grow(chunk.length + memoryOfChunk);
    this.emit('data', chunk);
  };

  readonly #end = (): void => {
    this.emit('end');
  };
}
