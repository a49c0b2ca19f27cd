/** Records a completed copy in the target store: a second copy would undo later changes and deletions there. */
import type { Clock, Ids, UserStore } from '../ports.ts';

export interface Move {
  /** The move is complete: from now on it is refused. */
  complete(): Promise<void>;
}

export interface MoveOptions {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'version'>;
  readonly force?: boolean;
}

const ownNameMark = 'directory';
const completed = 'completed ';

/** A random name that stays with the store when its file or database is moved; made on first use. */
async function nameOf(store: UserStore, ids: MoveOptions['ids']): Promise<string> {
  const known = await store.mark(ownNameMark);
  if (known !== undefined) return known;
  const name = ids.version();
  await store.setMark(ownNameMark, name);
  return name;
}

/** @throws Error when it has been completed before, without `force` */
export async function noteMove(from: UserStore, to: UserStore, options: MoveOptions): Promise<Move> {
  const { clock, ids, force = false } = options;
  const mark = `moved from ${await nameOf(from, ids)}`;
  const before = await to.mark(mark);
  if (before?.startsWith(completed) && !force) {
    const when = before.slice(completed.length);
    throw new Error(
      `all users were copied on ${when}: what has been changed or deleted there since would be undone. --force does that`,
    );
  }
  return { complete: () => to.setMark(mark, completed + clock.now().toISOString()) };
}
