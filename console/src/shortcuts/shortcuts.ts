/** Single keys for frequent actions. They can be turned off (WCAG 2.1.4), since speech input may type them by accident. */
import { useEffect } from 'preact/hooks';
import { Observable } from '../parts/observable.ts';

export const keys = {
  search: '/',
  create: 'n',
  edit: 'e',
  next: 'j',
  previous: 'k',
  nextPage: '>',
  previousPage: '<',
  select: 'x',
  selectRange: 'X',
  actions: 'a',
  undo: 'z',
  help: '?',
} as const;
type ShortcutName = keyof typeof keys;

/** The name of the dialog that lists them, in the address. */
export const helpDialog = 'shortcuts';

/** Stays after the session: it is a choice for this browser. */
const storageKey = 'console.shortcuts';

export const areShortcutsOn = new Observable(localStorage.getItem(storageKey) !== 'off');

export function turnShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  areShortcutsOn.set(isOn);
}

/** Elements that handle keys themselves. */
const takesKeys =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], dialog, .menu[open]';

function isMeant(event: KeyboardEvent): boolean {
  if (!areShortcutsOn.value || event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element && event.target.closest(takesKeys) !== null);
}

/** @param run may change with each drawing; undefined: the key does nothing now */
export function useShortcut(name: ShortcutName, run: (() => void) | undefined): void {
  useEffect(() => {
    if (run === undefined) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== keys[name] || !isMeant(event)) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
