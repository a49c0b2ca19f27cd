/** Changes in progress, and the notices about changes that a reload or the end of the session interrupts. */
import type { Words } from '../parts/notice.tsx';
import { Observable } from '../parts/observable.ts';
import { texts } from '../texts/texts.ts';

const notices = {
  'cut-off': { title: texts.session.cutOff, text: texts.session.cutOffText },
  dropped: { title: texts.session.dropped, text: texts.session.droppedText },
} as const satisfies Readonly<Record<string, Words>>;

/** Present while a change is in progress, so that the next page in this tab finds it if this page is left. */
const key = 'console.unfinished';

function takeNotice(): Words | undefined {
  const name = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return name === 'cut-off' || name === 'dropped' ? notices[name] : undefined;
}

/** Shown until the next view. */
export const told = new Observable<Words | undefined>(takeNotice());

const ending = new AbortController();

/** Aborted when the session of this page has ended: no request outlives it. */
export const sessionEnd: AbortSignal = ending.signal;

let underWay = 0;

/** Wraps each change that a person makes, until its outcome is shown. */
export async function untilShown<T>(change: Promise<T>): Promise<T> {
  underWay += 1;
  sessionStorage.setItem(key, 'cut-off');
  try {
    return await change;
  } finally {
    underWay -= 1;
    if (underWay === 0 && !sessionEnd.aborted) sessionStorage.removeItem(key);
  }
}

/** Ends all requests of this page. @returns whether one was a change, or a change was interrupted by signing in at the provider */
export function endRequests(): boolean {
  ending.abort();
  return underWay > 0 || told.value === notices['cut-off'];
}

export const tellDropped = (): void => told.set(notices.dropped);
export const tellDroppedAfterReload = (): void => sessionStorage.setItem(key, 'dropped');
