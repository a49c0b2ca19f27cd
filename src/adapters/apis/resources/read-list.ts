/**
 * Reads the resources of a list, a page or all. The beginning is buffered before the response starts.
 *
 * A page is one question to the store: it returns the first resources, up to the length of a piece, the ids of the others, and the places
 * of both ends, which `Link` names before any resource is sent. The others are then read by id. A list without a limit is a sequence of
 * such pages.
 */
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { Page, PageQuery } from '../../../domain/store.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import { pathOf } from './definition.ts';
import type { ListQuery, PageStart } from './list-query.ts';
import { maxLinkLength } from './parameters.ts';
import type { ResourcePrinter, ResourceService } from './service.ts';

/** In UTF-16 code units: lists are printed in pieces of about this length, so that a stalled reader holds only a few in memory. */
const pieceLength = 64 * 1024;

/** In UTF-16 code units: a list up to this length is sent whole, with an entity tag. */
const wholeListLength = 256 * 1024;

/** The number of resources that a list without a limit finds at a time. */
const foundAtOnce = 100;

/** A batch has at most this many times the resources of the previous one, since its resources may be larger. */
const maxGrowth = 5;

/** The printed resources of a list, in pieces, without the text before, between and after the resources. */
type Pieces = AsyncGenerator<string, void, undefined>;

export interface List {
  /** The part that is printed before the response is sent. */
  readonly body: string;
  /** True if the beginning is the whole list. */
  readonly done: boolean;
  /** Empty if there is no `Link`. */
  readonly link: string;
  /** The pieces that follow the beginning. */
  readonly rest: Pieces;
}

type Place = Pick<PageQuery, 'after' | 'before' | 'total' | 'maxLength'>;
type StoredPage = Page<Stored<Resource>>;

/** The number of resources of this mean length that make a piece; at least one. */
function fittingCount(batch: readonly Stored<Resource>[]): number {
  const length = batch.reduce((sum, { text }) => sum + text.length, 0);
  return Math.max(1, Math.floor((pieceLength * batch.length) / Math.max(1, length)));
}

/** Reads and prints the list of one request. */
class ListReader {
  readonly #ctx: Context;
  readonly #service: ResourceService;
  readonly #query: ListQuery;
  readonly #printer: ResourcePrinter;
  readonly #hasLeft = (): boolean => this.#ctx.res.closed;
  /** The handle of the list, for the store. */
  readonly #list = {};

  constructor(ctx: Context, service: ResourceService, query: ListQuery, printer: ResourcePrinter) {
    [this.#ctx, this.#service, this.#query, this.#printer] = [ctx, service, query, printer];
  }

  find({ maxLength = pieceLength, ...place }: Place): Promise<StoredPage> {
    const { conditions, sort, limit = foundAtOnce } = this.#query;
    return this.#service.resources.page(assertPresent(this.#ctx.state.principal), {
      ...{ where: conditions.where, sort, limit, maxLength, ...place },
      ...{ list: this.#list, hasLeft: this.#hasLeft },
    });
  }

  /** Lets other requests run between batches, however fast the store and the reader are. Ends early when the connection is closed. */
  async *printFrom(first: StoredPage[]): Pieces {
    for (let page = assertPresent(first.pop()); ; page = await this.find({ after: page.last })) {
      if (page.items.length > 0) yield this.#printer.list.items(page.items);
      const isLast = this.#query.limit !== undefined || !page.more;
      if (isLast && page.rest === undefined) return;
      await eventLoop.next(clientOf(this.#ctx));
      if (page.rest !== undefined) yield* this.#printRest(page.rest, fittingCount(page.items));
      if (isLast || this.#hasLeft()) return;
    }
  }

  /** Leaves out resources that were deleted meanwhile. @param count the number of resources to read first */
  async *#printRest(ids: readonly string[], count: number): Pieces {
    for (let from = 0, next = count; from < ids.length && !this.#hasLeft(); ) {
      const batch = await this.#readAll(ids.slice(from, from + next));
      from += next;
      next = Math.min(fittingCount(batch), next * maxGrowth);
      if (batch.length > 0) yield this.#printer.list.items(batch);
      await eventLoop.next(clientOf(this.#ctx));
    }
  }

  async #readAll(ids: readonly string[]): Promise<readonly Stored<Resource>[]> {
    const principal = assertPresent(this.#ctx.state.principal);
    const found = await this.#service.resources.readAll(principal, ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

/** Collects pieces until they end or are too long to be sent whole. @param total the total to print, if any */
async function collectBeginning(
  pieces: Pieces,
  { list }: ResourcePrinter,
  total: number | undefined,
): Promise<Pick<List, 'body' | 'done'>> {
  let body = list.open({ total });
  for (let between = ''; body.length <= wholeListLength; between = list.between) {
    const { done, value } = await pieces.next();
    if (done) return { body: body + list.close, done: true };
    body += between + value;
  }
  return { body, done: false };
}

type PageEnds = Pick<Page, 'first' | 'last' | 'more'>;

/** `first` is the start of the list; undefined means that there is no such page. */
type Target = PageStart | 'first' | undefined;

function nextOf({ before }: ListQuery, { last, more }: PageEnds): Target {
  // A page that ends before a resource is followed by that resource.
  const isFollowed = before === undefined ? more : before !== 'end';
  if (!isFollowed) return undefined;
  return last === undefined ? 'first' : { after: last };
}

function previousOf({ after, before }: ListQuery, { first, more }: PageEnds): Target {
  const isPreceded = before === undefined ? after !== undefined : more;
  if (!isPreceded) return undefined;
  if (first !== undefined) return { before: first };
  // All resources after the start of this page were deleted.
  return { before: 'end' };
}

/** The value of `Link` (RFC 8288, with registered relations): the links from a page to other pages; empty for a list without pages. `next` is the first link, since some clients look for nothing else. A long query has only the first links. */
function linksOf(query: ListQuery, page: PageEnds, url: string): string {
  if (query.limit === undefined) return '';
  const targets: readonly (readonly [relation: string, target: Target])[] = [
    ['next', nextOf(query, page)],
    ['prev', previousOf(query, page)],
    ['first', 'first'],
    ['last', { before: 'end' }],
  ];
  let length = 0;
  return targets
    .flatMap(([relation, target]) =>
      target === undefined
        ? []
        : [`<${url}?${query.queryOf(target === 'first' ? undefined : target)}>; rel="${relation}"`],
    )
    .filter((link, at) => {
      length += link.length;
      return at === 0 || length <= maxLinkLength;
    })
    .join(', ');
}

/** @throws HttpProblem 503 for a long list while too many others are being streamed; DomainError `query-too-costly` */
export async function readList(
  ctx: Context,
  service: ResourceService,
  query: ListQuery,
  printer: ResourcePrinter,
): Promise<List> {
  const { after, before, limit, hasTotal } = query;
  const reader = new ListReader(ctx, service, query, printer);
  const first = { after, before, total: hasTotal ? ('exact' as const) : undefined };
  // A page that is sent whole is read at once: reading a page of 100 in two steps would cost half as much again.
  const maxLength = limit === undefined ? pieceLength : wholeListLength;
  const page = await reader.find({ ...first, maxLength });
  const { first: start, last, more, total } = page;
  // The reader removes it from the list, so that it isn't held while the list is streamed.
  const rest = reader.printFrom([page]);
  const beginning = await collectBeginning(rest, printer, total);
  // Refuse excess streams before reading more.
  if (!beginning.done) assertPresent(ctx.state.load).admitStream(ctx);
  const ends = { first: start, last, more };
  return { ...beginning, link: linksOf(query, ends, service.url(pathOf(service.definition))), rest };
}
