import type { ComponentChildren } from 'preact';
import { Observable, useObservable } from '../parts/observable.ts';
import {
  type Address,
  type ListAddress,
  listKeyOf,
  printAddress,
  readAddress,
  type View,
  wholeList,
} from './address.ts';

const readLocation = (): Address => readAddress(location.pathname + location.search);

const address = new Observable<Address>(readLocation());
addEventListener('popstate', () => address.set(readLocation()));

export const useAddress = (): Address => useObservable(address);

export interface Destination {
  readonly view?: View;
  /** Left out: the list of the view as it was last seen. */
  readonly list?: ListAddress;
}

const lists = new Map<string, ListAddress>();
const keepList = ({ view, list }: Address): unknown => lists.set(listKeyOf(view), list);
address.follow(keepList);
keepList(address.value);

function addressOf({ view = address.value.view, list }: Destination): Address {
  return { view, list: list ?? lists.get(listKeyOf(view)) ?? wholeList };
}

/** @param replace leaves no trace of where one was in the history */
export function goTo(destination: Destination, replace = false): void {
  const next = addressOf(destination);
  const url = printAddress(next);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const isOtherView = JSON.stringify(next.view) !== JSON.stringify(address.value.view);
  address.set(next);
  if (isOtherView) scrollTo(0, 0);
}

/** @param before the address where one was before the way led elsewhere */
export function returnTo(before: string): void {
  goTo(readAddress(before), true);
}

/** Held down, they ask the browser for a tab or a window of its own. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

interface LinkProps extends Destination {
  readonly class?: string;
  /** Its name, where its content has no words. */
  readonly label?: string;
  /** It leads to where one is. */
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A link to another view of the console. */
export function Link({ view, list, class: more = '', label, isCurrent = false, children }: LinkProps) {
  // It may lead to a list that another view has changed.
  useAddress();
  const destination = { ...(view === undefined ? {} : { view }), ...(list === undefined ? {} : { list }) };
  return (
    <a
      class={more}
      {...(label === undefined ? {} : { title: label, 'aria-label': label })}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
      href={printAddress(addressOf(destination))}
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
