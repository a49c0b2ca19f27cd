import { Notice, type NoticeTone } from './notice.tsx';
import { Observable, useObservable } from './observable.ts';

interface Announced {
  readonly text: string;
  readonly tone: NoticeTone;
  /** The view that shows the message is not open yet. */
  readonly isAhead: boolean;
}

const announcement = new Observable<Announced | undefined>(undefined);

/** Shows a message about an action on the next view. @param tone `good`: nothing is left to do */
export const announce = (text: string, tone: NoticeTone = 'good'): void =>
  announcement.set({ text, tone, isAhead: true });

/** Removes the message once it is out of date. */
export const clearAnnouncement = (): void => announcement.set(undefined);

/** Call it when another view is open. */
export function dropAnnouncement(): void {
  const { value } = announcement;
  if (value !== undefined) announcement.set(value.isAhead ? { ...value, isAhead: false } : undefined);
}

export function Announcement() {
  const announced = useObservable(announcement);
  return announced && <Notice tone={announced.tone} title={announced.text} news={announced.text} />;
}
