/**
 * A request's body for koa-bodyparser: the parts of a stream that it uses. By itself koa-bodyparser keeps every chunk (a chunk of one byte
 * takes some hundred), has no limit over all requests, and waits for ever for the rest of an interrupted body.
 *
 * A body's way (`core/read-body.ts`): memory is reserved for it (`request-budget.ts`), it arrives here, and it is decoded when it is whole
 * (`inflate.ts`).
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { BodyReservation } from './request-budget.ts';

/** Smaller chunks are copied into blocks. Both in bytes. */
const smallChunk = 512;
const blockLength = 2048;

export class BodyStream extends EventEmitter {
  /** Without Content-Encoding: koa-bodyparser gets the bytes as they came. */
  readonly headers: { readonly 'content-length'?: string | undefined };
  readonly #request: IncomingMessage;
  readonly #reservation: BodyReservation;
  #block = Buffer.alloc(0);
  #used = 0;

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
    if (chunk.length < smallChunk) {
      this.#append(chunk);
      return;
    }
    this.#flush();
    this.#reservation.grow(chunk.length);
    this.emit('data', chunk);
  };

  #append(chunk: Buffer): void {
    if (this.#used + chunk.length > this.#block.length) {
      this.#flush();
      this.#block = Buffer.allocUnsafe(blockLength);
      this.#reservation.grow(blockLength);
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  #flush(): void {
    if (this.#used > 0) this.emit('data', this.#block.subarray(0, this.#used));
    this.#block = Buffer.alloc(0);
    this.#used = 0;
  }

  readonly #end = (): void => {
    this.#flush();
    this.emit('end');
  };
}
