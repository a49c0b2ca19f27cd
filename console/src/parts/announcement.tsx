import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';
import type { NoticeTone } from './notice.tsx';
import { Observable, useObservable } from './observable.ts';

/** Takes an action back. @returns what to say then */
export type Undo = () => Promise<string>;

interface Announced {
  readonly text: string;
  readonly tone: NoticeTone;
  readonly undo: Undo | undefined;
  /** The view that shows the message is not open yet. */
  readonly isAhead: boolean;
}

const announcement = new Observable<Announced | undefined>(undefined);

/** Announces the result of an action, also on the next view. @param tone `good`: nothing is left to do */
export const announce = (text: string, tone: NoticeTone = 'good', undo?: Undo): void =>
  announcement.set({ text, tone, undo, isAhead: true });

/** Removes the message once it is out of date. */
export const clearAnnouncement = (): void => announcement.set(undefined);

/** Call it when another view is open. */
export function dropAnnouncement(): void {
  const { value } = announcement;
  if (value !== undefined) announcement.set(value.isAhead ? { ...value, isAhead: false } : undefined);
}

/** In milliseconds. Nothing is lost with the message: the action can be taken back elsewhere, too. */
const patience = 12_000;

/** Stays while the pointer or the focus is on it. */
function usePassing(announced: Announced | undefined) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (announced === undefined || announced.tone !== 'good' || isHeld) return;
    const timer = setTimeout(clearAnnouncement, patience);
    return () => clearTimeout(timer);
  }, [announced, isHeld]);
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  return { onMouseEnter: hold, onMouseLeave: release, onFocusIn: hold, onFocusOut: release };
}

/** The focus continues from the beginning of the page. */
function leave(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** The result of the last action, shown over every view. */
export function Toast() {
  const announced = useObservable(announcement);
  const passing = usePassing(announced);
  const [isBusy, setBusy] = useState(false);
  if (announced === undefined) return null;
  const { text, tone, undo } = announced;
  const takeBack = async () => {
    setBusy(true);
    const said = await undo?.();
    setBusy(false);
    leave();
    announce(said ?? '');
  };
  return (
    <div class={`toast ${tone}`} {...passing}>
      <p role="status">{text}</p>
      {undo && (
        <button type="button" class="plain" aria-disabled={isBusy} onClick={() => !isBusy && takeBack()}>
          {texts.page.undo}
        </button>
      )}
      <button
        type="button"
        class="bare"
        aria-label={texts.page.close}
        onClick={() => {
          leave();
          clearAnnouncement();
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
