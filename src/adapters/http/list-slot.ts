/** A list is worked on in its turn, and only while there is room for its answer. */
import { assertPresent, type Context } from './context.ts';

/**
 * @param send is not called when the client has left meanwhile
 * @throws HttpProblem 503 where there is no room
 */
export async function inListSlot(ctx: Context, send: () => Promise<void> | undefined): Promise<void> {
  const { answers } = assertPresent(ctx.state.load);
  answers.admitList();
  const releaseSlot = await answers.acquireListSlot();
  try {
    if (ctx.res.closed) return;
    // The lists before this one may have taken the room.
    answers.admitList();
    await send();
  } finally {
    releaseSlot();
  }
}
