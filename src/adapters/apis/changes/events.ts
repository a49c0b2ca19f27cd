/** The feed as server-sent events (HTML, §9.2), over one response that ends when the client leaves. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from '../../../domain/changes/change.ts';
import { printCursor } from '../../../domain/changes/log.ts';
import type { FeedQuery } from '../../../domain/use-cases/feed.ts';
import { json } from '../../formats/json/json.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { varyFor } from '../../http/pipeline/respond.ts';
import { problemOf } from '../../http/problems/problems.ts';
import { clock } from '../../scheduler/clock.ts';
import { Slices } from '../../scheduler/slices.ts';
import { inListSlot } from '../resources/list.ts';
import { awaitDrain, Following } from './follow.ts';
import type { ChangesService } from './service.ts';

export const eventStream = 'text/event-stream';

/** Text that the connection hasn't accepted is in memory twice: as text and as bytes. */
const copiesOfUnsent = 2;

/** In UTF-16 code units. A piece that is handed to the connection has about this length; a longer event is a piece of its own. */
const pieceLength = 2 ** 14;

/** In ms: between two events that have only an id. */
const keepAlive = 15_000;

function begin(ctx: Context): void {
  ctx.respond = false;
  ctx.status = 200;
  ctx.state.responseBytes = 0;
  ctx.res.writeHead(200, [
    ...['X-Request-Id', ctx.state.requestId, 'X-Content-Type-Options', 'nosniff', 'Vary', varyFor(ctx)],
    ...['Cache-Control', 'no-store', 'X-Accel-Buffering', 'no', 'Content-Type', eventStream],
  ]);
  // Tells the client that it is connected, even before the first change.
  ctx.res.flushHeaders();
}

/** Writes as fast as the client reads. */
function writer(ctx: Context): (text: string) => Promise<void> {
  const { res, state } = ctx;
  const setSize = assertPresent(state.load).responses.trackStream(res);
  return async (text) => {
    state.responseBytes = (state.responseBytes ?? 0) + Buffer.byteLength(text);
    if (res.closed || res.write(text)) return;
    // The connection usually accepts the text at once.
    await nextTurn();
    if (!res.writableNeedDrain) return;
    setSize(res.writableLength * copiesOfUnsent);
    await awaitDrain(ctx);
    setSize(0);
  };
}

/** Sends the last event, which says why the stream ends. */
function endWithProblem(ctx: Context, error: unknown): void {
  const { mounted, requestId, trace } = ctx.state;
  const problem = problemOf(error, mounted.problems);
  ctx.state.problem = problem.code;
  if (problem.code === 'internal-error') ctx.app.emit('error', error, ctx);
  const { content } = mounted.printProblem(problem, requestId, json, trace);
  ctx.res.end(`event: problem\ndata: ${content}\n\n`);
}

/** @throws before the first byte as `Changes.feed` does, and HttpProblem 503 when too many wait */
export async function streamEvents(ctx: Context, service: ChangesService, query: FeedQuery): Promise<void> {
  const following = await inListSlot(
    ctx,
    async () => new Following(ctx, service, query, await service.readFeed(ctx, query)),
  );
  if (following === undefined) return;
  begin(ctx);
  if (ctx.method === 'HEAD') {
    ctx.res.end();
    return;
  }
  const { line } = following.position;
  const write = writer(ctx);
  const slices = new Slices(clientOf(ctx));
  const writeEvents = async (entries: readonly Entry[]): Promise<void> => {
    let text = '';
    for (const entry of entries) {
      text += service.printEvent(entry, line);
      if (text.length < pieceLength) continue;
      await write(text);
      text = '';
      await slices.pause();
    }
    if (text !== '') await write(text);
  };
  const position = (): string => `id: ${printCursor(following.position)}\n\n`;
  try {
    if (!following.hasUnread) await write(position());
    following.deadline = clock.now() + keepAlive;
    while (!following.isOver) {
      // Not in a variable, which would keep them until the next ones come.
      await writeEvents(await following.next());
      if (clock.now() < following.deadline) continue;
      await write(position());
      following.deadline = clock.now() + keepAlive;
    }
    ctx.res.end();
  } catch (error) {
    endWithProblem(ctx, error);
  }
}
