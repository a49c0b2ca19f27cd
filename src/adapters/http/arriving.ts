/**
 * A request's bytes on their way to koa-bodyparser, which asks for no more of a stream than this. It stands between, since
 * koa-bodyparser keeps every piece as it came (a byte in a piece of its own takes some hundred), counts nothing over all requests,
 * and waits for ever for what inflates a body that breaks off.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Holding } from './body-memory.ts';

/** Smaller pieces are put together into blocks. In bytes. */
const smallPiece = 512;
const blockLength = 2048;

export class Arriving extends EventEmitter {
  /** Without a coding: it gets the bytes as they came. */
  readonly headers: { readonly 'content-length'?: string | undefined };
  readonly #request: IncomingMessage;
  readonly #holding: Holding;
  #block = Buffer.alloc(0);
  #used = 0;

  constructor(request: IncomingMessage, holding: Holding) {
    super();
    this.#request = request;
    this.#holding = holding;
    this.headers = { 'content-length': request.headers['content-length'] };
  }

  /** Begins to read. @param brokenOff what to end with when the connection ends before the body does */
  begin(brokenOff: () => Error): this {
    const request = this.#request;
    request.on('data', this.#take);
    request.once('end', this.#end);
    request.once('error', this.fail);
    request.once('close', () => {
      if (!request.complete) this.fail(brokenOff());
    });
    return this;
  }

  /** Takes in no more: koa-bodyparser has had enough. */
  pause(): void {
    this.#request.off('data', this.#take).off('end', this.#end);
    this.#request.pause();
  }

  readonly fail = (error: Error): void => {
    // Nobody listens any more when it has ended already.
    if (this.listenerCount('error') > 0) this.emit('error', error);
  };

  readonly #take = (piece: Buffer): void => {
    if (piece.length < smallPiece) {
      this.#gather(piece);
      return;
    }
    this.#handOn();
    this.#holding.add(piece.length);
    this.emit('data', piece);
  };

  #gather(piece: Buffer): void {
    if (this.#used + piece.length > this.#block.length) {
      this.#handOn();
      this.#block = Buffer.allocUnsafe(blockLength);
      this.#holding.add(blockLength);
    }
    this.#used += piece.copy(this.#block, this.#used);
  }

  #handOn(): void {
    if (this.#used > 0) this.emit('data', this.#block.subarray(0, this.#used));
    this.#block = Buffer.alloc(0);
    this.#used = 0;
  }

  readonly #end = (): void => {
    this.#handOn();
    this.emit('end');
  };
}
