/** Requests that wait for changes: `wait=…`, and streams of server-sent events. */
import { once } from 'node:events';
import type { Entry } from '../../../domain/changes/change.ts';
import type { Cursor } from '../../../domain/changes/log.ts';
import { requireScope } from '../../../domain/scopes.ts';
import type { ChangePage, FeedQuery } from '../../../domain/use-cases/feed.ts';
import type { Follower } from '../../change-watcher/change-watcher.ts';
import { assertPresent, type Context } from '../../http/pipeline/context.ts';
import { clock } from '../../scheduler/clock.ts';
import { inListSlot } from '../resources/list.ts';
import type { ChangesService } from './service.ts';

/** In ms: how often the credentials of a waiting request are checked again. */
const checkInterval = 15_000;

/** In ms: the service and the issuer may disagree by this much on when credentials end. */
const shortestInterval = 100;

/** One waiting request, from its first wait to its end. */
export class Following implements Follower {
  position: Cursor;
  /** A time of `clock`, at which `next` returns at the latest. */
  deadline = Number.POSITIVE_INFINITY;
  readonly #ctx: Context;
  readonly #service: ChangesService;
  readonly #query: FeedQuery;
  #checkAt = 0;
  #isBehind: boolean;
  #isClosed = false;
  /** Of the first page. Let go with it: thousands of streams stay open for days. */
  #unread: readonly Entry[];

  /** @param page that `next` begins with @throws HttpProblem 503 when too many requests wait */
  constructor(ctx: Context, service: ChangesService, query: FeedQuery, page: ChangePage) {
    [this.#ctx, this.#service, this.#query] = [ctx, service, query];
    [this.position, this.#isBehind, this.#unread] = [page.end, page.more, page.entries];
    assertPresent(ctx.state.load).admitFollower(ctx);
    ctx.res.once('close', () => {
      this.#isClosed = true;
      service.watcher.wake(this);
    });
    this.#isClosed = ctx.res.closed;
    this.#planCheck();
  }

  /** The client has disconnected, or the service is shutting down. */
  get isOver(): boolean {
    return this.#isClosed || this.#service.watcher.isStopped;
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  get wakeAt(): number {
    return Math.min(this.#checkAt, this.deadline);
  }

  /**
   * The next changes that meet the filter; none when it was woken, and after a check of the credentials. `position` moves on.
   * @throws DomainError `unauthenticated`, `insufficient-scope`, `cursor-expired`, `cursor-foreign`, `unavailable`
   */
  async next(): Promise<readonly Entry[]> {
    if (this.hasUnread) return this.#takeUnread();
    const entries = this.#isBehind ? await this.#catchUp() : await this.#await();
    if (!this.isOver && clock.now() >= this.#checkAt) {
      await this.#ctx.state.authenticate?.(this.#ctx);
      const { principal } = this.#ctx.state;
      requireScope(assertPresent(principal), 'changes:read');
      // The log is asked, even if nothing was written: the cursor is one of the profile before.
      if (principal?.access?.mark !== this.position.access) this.#isBehind = true;
      this.#planCheck();
    }
    return entries;
  }

  #takeUnread(): readonly Entry[] {
    const unread = this.#unread;
    this.#unread = [];
    return unread;
  }

  async #await(): Promise<readonly Entry[]> {
    const from = this.position.number;
    const news = await this.#service.watcher.next(this.position, this);
    this.#isBehind = news === 'behind';
    if (news === 'behind' || news === 'woken' || news.end.number <= from) return [];
    const later = { ...news, entries: news.entries.filter(({ number }) => number > from) };
    const query = { ...this.#query, since: this.position };
    const { entries, end } = await this.#service.viewNews(this.#ctx, later, query);
    this.position = end;
    return entries;
  }

  /** Reads changes from the log: old ones, and those that a slow client has missed. */
  async #catchUp(): Promise<readonly Entry[]> {
    const query = { ...this.#query, since: this.position };
    const page = await inListSlot(this.#ctx, () => this.#service.readFeed(this.#ctx, query));
    if (page === undefined) return [];
    this.position = page.end;
    this.#isBehind = page.more;
    return page.entries;
  }

  /** Plans the next check of the credentials: after the interval, or when the token expires. */
  #planCheck(): void {
    const { expires } = assertPresent(this.#ctx.state.principal);
    const left = expires === undefined ? checkInterval : expires - Date.now();
    const delay = Math.max(shortestInterval, Math.min(checkInterval, left));
    this.#checkAt = clock.now() + delay;
  }
}

/** The page for a request with `wait`: the next changes, or an empty page after the given seconds. @param page the empty page that was read first */
export async function awaitPage(
  ctx: Context,
  service: ChangesService,
  query: FeedQuery,
  page: ChangePage,
  seconds: number,
): Promise<ChangePage> {
  const following = new Following(ctx, service, query, page);
  following.deadline = clock.now() + seconds * 1000;
  for (;;) {
    const found = await following.next();
    const entries = found.slice(0, query.limit);
    if (entries.length === 0 && !following.isOver && clock.now() < following.deadline) continue;
    const more = found.length > entries.length;
    const last = more ? entries.at(-1) : undefined;
    const { position } = following;
    return { entries, more, end: last ? { ...position, number: last.number, mark: last.mark } : position };
  }
}

/** Waits until the connection accepts more, or is closed. */
export async function awaitDrain({ res }: Context): Promise<void> {
  if (res.closed || !res.writableNeedDrain) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() =>
    over.abort(),
  );
}
