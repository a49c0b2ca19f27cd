/** Reads the resources of a list, a page or all. The beginning is buffered before the response starts. */
import { DomainError } from '../../../domain/base/errors.ts';
import type { Position } from '../../../domain/find/sorts.ts';
import { assertPresent, type Context, clientOf } from '../../http/core/context.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import { pathOf, pluralOf } from './definition.ts';
import { linksOf } from './list-links.ts';
import { findRest, readRest, readUntil } from './list-page.ts';
import { BatchSize, type Beginning, collectBeginning, type Piece, printPieces } from './list-pieces.ts';
import type { ListQuery } from './list-query.ts';
import type { ResourcePrinter, ResourceService } from './service.ts';

/** In UTF-16 code units: a list up to this length is sent whole, with an entity tag. */
const wholeListLength = 256 * 1024;

/** Attempts to read a page by its end. An attempt fails only because users were created before that end meanwhile. */
const maxAttempts = 10;

export interface List extends Beginning {
  /** Empty if there is no `Link`. */
  readonly link: string;
  /** The pieces that follow the beginning. */
  readonly rest: AsyncGenerator<Piece, unknown, undefined>;
}

/** Lets other requests run between batches, however fast the store and the reader are. Ends early when the connection is closed. */
async function* readInTurns<T>(ctx: Context, batches: AsyncIterable<T>) {
  for await (const batch of batches) {
    if (ctx.res.closed) return;
    yield batch;
    await eventLoop.next(clientOf(ctx));
  }
}

/** Reads the list of one request. */
class ListReader {
  readonly #ctx: Context;
  readonly #service: ResourceService;
  readonly #query: ListQuery;
  readonly #printer: ResourcePrinter;
  readonly #batchSize = new BatchSize();
  readonly #hasLeft = (): boolean => this.#ctx.res.closed;
  readonly #view = {};
  #isAdmitted = false;

  constructor(ctx: Context, service: ResourceService, query: ListQuery, printer: ResourcePrinter) {
    [this.#ctx, this.#service, this.#query, this.#printer] = [ctx, service, query, printer];
  }

  async read(): Promise<List> {
    const { before } = this.#query;
    const total = await this.#count();
    if (before === undefined) return this.#readFrom(this.#query.after, total);
    for (let attempts = 1; ; attempts += 1) {
      const start = await this.#findStart();
      const list = await this.#readFrom(start, total);
      // Otherwise the users nearest to the page's end would be left out, and a client that pages backwards would miss them.
      if (!list.more) return list;
      if (attempts === maxAttempts) {
        // At the end of the list, users may be created all the time: they belong to the next page.
        if (before === 'end') return list;
        await list.rest.return(undefined);
        throw new DomainError(
          'unavailable',
          `Too many others are creating ${pluralOf(this.#service.definition)} here.`,
        );
      }
      await list.rest.return(undefined);
    }
  }

  async #count(): Promise<number | undefined> {
    const { hasTotal, conditions } = this.#query;
    if (!hasTotal) return undefined;
    const { total } = await this.#service.resources.page(this.#principal(), {
      ...conditions,
      ...{ hasLeft: this.#hasLeft, list: this.#view },
      ...{ limit: 0, total: 'exact' },
    });
    return total;
  }

  #principal() {
    return assertPresent(this.#ctx.state.principal);
  }

  async #findStart(): Promise<Position | undefined> {
    const { before, conditions, sort, limit } = this.#query;
    const { first } = await this.#service.resources.page(this.#principal(), {
      ...conditions,
      ...{ sort, before, skip: limit, limit: 1 },
      ...{ hasLeft: this.#hasLeft, list: this.#view },
    });
    return first;
  }

  /** @param limit default: all users */
  #list(after: Position | undefined, limit?: number) {
    const { conditions, sort, before } = this.#query;
    const batches = this.#service.resources.list(this.#principal(), {
      ...conditions,
      ...{ sort, after, limit, atOnce: this.#batchSize.next },
      ...{ hasLeft: this.#hasLeft, list: this.#view },
    });
    const open = readInTurns(this.#ctx, batches);
    return before === undefined || before === 'end' ? open : readUntil(open, before, sort);
  }

  /** @throws HttpProblem 503 for a long list while too many others are being streamed */
  async #readFrom(start: Position | undefined, total: number | undefined): Promise<List> {
    const { sort, limit } = this.#query;
    // Reads one user more than requested, to see whether more follow.
    const users = this.#list(start, limit && limit + 1);
    const pieces = printPieces(users, this.#printer, this.#batchSize, sort, limit);
    const beginning = await collectBeginning(pieces, this.#printer, wholeListLength, total);
    // Refuse excess streams before reading more.
    if (!beginning.done) this.#admitStream();
    const isFirst = start === undefined;
    if (beginning.done || limit === undefined)
      return { ...beginning, link: this.#linksOf({ ...beginning, isFirst }), rest: pieces };
    await pieces.return(true);
    const { first, last: held, users: count } = beginning;
    const left = limit - count;
    const rest = await findRest(this.#list(held, left + 1), held, left, sort);
    const { last, more } = rest;
    const link = this.#linksOf({ first, last, more, isFirst });
    const following = readRest(this.#list(held), rest, sort);
    return { ...beginning, more, link, rest: printPieces(following, this.#printer, this.#batchSize, sort) };
  }

  #linksOf(page: Parameters<typeof linksOf>[1]): string {
    return linksOf(this.#query, page, this.#service.url(pathOf(this.#service.definition)));
  }

  /** A page that is read again is the same stream. */
  #admitStream(): void {
    if (!this.#isAdmitted) assertPresent(this.#ctx.state.load).admitStream(this.#ctx);
    this.#isAdmitted = true;
  }
}

/** @throws HttpProblem 503 for a long list while too many others are being streamed; DomainError `query-too-costly` */
export const readList = (
  ctx: Context,
  service: ResourceService,
  query: ListQuery,
  printer: ResourcePrinter,
): Promise<List> => new ListReader(ctx, service, query, printer).read();
