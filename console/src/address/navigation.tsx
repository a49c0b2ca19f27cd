import type { ComponentChildren } from 'preact';
import { Observable, useObservable } from '../parts/observable.ts';
import { type Address, type ListAddress, printAddress, readAddress, type View } from './address.ts';

const address = new Observable<Address>(readAddress(location.search));
addEventListener('popstate', () => address.set(readAddress(location.search)));

export const useAddress = (): Address => useObservable(address);

export interface Destination {
  readonly view?: View;
  readonly list?: ListAddress;
}

/** @param replace leaves no trace of where one was in the history */
export function goTo(destination: Destination, replace = false): void {
  const next = { ...address.value, ...destination };
  const url = printAddress(next);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const isOtherView = JSON.stringify(next.view) !== JSON.stringify(address.value.view);
  address.set(next);
  if (isOtherView) scrollTo(0, 0);
}

/** @param search where one was before the way led elsewhere */
export function returnTo(search: string): void {
  goTo(readAddress(search), true);
}

/** Held down, they ask the browser for a tab or a window of its own. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

interface LinkProps extends Destination {
  readonly class?: string;
  /** Its name, where its content has no words. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A link to another view of the console. */
export function Link({ view, list, class: more = '', label, children }: LinkProps) {
  const here = useAddress();
  const destination = { ...(view === undefined ? {} : { view }), ...(list === undefined ? {} : { list }) };
  return (
    <a
      class={more}
      {...(label === undefined ? {} : { title: label, 'aria-label': label })}
      href={printAddress({ ...here, ...destination })}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        goTo(destination);
      }}
    >
      {children}
    </a>
  );
}
