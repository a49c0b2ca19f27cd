import type { ComponentChildren } from 'preact';
import { Observable, useObservable } from '../parts/observable.ts';
import type { KindName } from '../schema/kinds.ts';
import {
  type Address,
  changeList,
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

interface Destination {
  readonly view?: View | undefined;
  /** Omitted: the list of the view as it was last seen. */
  readonly list?: ListAddress | undefined;
}

const lists = new Map<string, ListAddress>();
const keepList = ({ view, list }: Address): unknown => lists.set(listKeyOf(view), list);
address.follow(keepList);
keepList(address.value);

/** The list from its beginning, without search and filters. Order, columns and size stay. */
export const wholeListOf = (kind: KindName): ListAddress =>
  changeList(lists.get(kind) ?? wholeList, { search: '', filters: {} });

const isSameView = (one: View, other: View): boolean => JSON.stringify(one) === JSON.stringify(other);

function addressOf({ view = address.value.view, list }: Destination): Address {
  return { view, list: list ?? lists.get(listKeyOf(view)) ?? wholeList };
}

/** Pending while the browser goes back: other navigation waits for it. */
let goingBack: Promise<unknown> | undefined;

function whenBack(run: () => void): void {
  if (goingBack === undefined) run();
  else goingBack.then(() => whenBack(run));
}

/** Marks an entry of the browser's history as a dialog; the previous entry is the page below it. */
const isOverPage = (): boolean => history.state?.isOverPage === true;

/** The view with the list that led to the page of a resource; undefined for the list of its kind. */
const originOf = (): View | undefined => history.state?.origin;

export function useOrigin(): View | undefined {
  useAddress();
  return originOf();
}

/** The origin stays when moving to another resource of the same kind, to a tab or to a dialog. */
function findOrigin(next: View): View | undefined {
  const { view } = address.value;
  if (next.name !== 'one' && next.name !== 'new' && next.name !== 'import') return undefined;
  if (view.name === 'list' || !('kind' in view)) return view;
  if (view.kind === next.kind) return originOf();
  return view.name === 'one' && view.kind === 'group' ? view : undefined;
}

function show(next: Address, replace: boolean, isOver = false): void {
  const url = printAddress(next);
  const state = { isOverPage: isOver, origin: findOrigin(next.view) };
  // The same address makes no second entry, as with the browser's own links.
  if (replace || url === printAddress(address.value)) history.replaceState(state, '', url);
  else history.pushState(state, '', url);
  address.set(next);
}

/** @param replace replaces the entry of the browser's history; an entry of a dialog is always replaced */
export const goTo = (destination: Destination, replace = false): void =>
  whenBack(() => {
    const { view } = address.value;
    const next = addressOf(destination);
    show(next, replace || isOverPage());
    if (!isSameView(next.view, view)) scrollTo(0, 0);
  });

export const openDialog = (dialog: string): void =>
  whenBack(() => {
    const isReplaced = address.value.dialog !== undefined;
    show({ ...address.value, dialog }, isReplaced, !isReplaced || isOverPage());
  });

/** Closes the dialog: by going back if it was opened here, so that Back does not reach it again. Without a dialog it does nothing. */
export function closeDialog(): void {
  const { dialog, ...page } = address.value;
  if (dialog === undefined) return;
  if (!isOverPage()) {
    show(page, true);
    return;
  }
  address.set(page);
  goingBack = new Promise((resolve) => addEventListener('popstate', resolve, { once: true })).then(() => {
    goingBack = undefined;
  });
  history.back();
}

/** A dialog with an address: a colleague can open it, and Back closes it. */
export function useDialog(name: string) {
  const isOpen = useAddress().dialog === name;
  return { isOpen, open: () => openDialog(name), close: closeDialog };
}

/** @param before the address to return to */
export function returnTo(before: string): void {
  show(readAddress(before), true);
}

/** Keys that, held down, make the browser open a new tab or window. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

interface LinkProps extends Destination {
  readonly id?: string;
  readonly class?: string;
  /** Its name, if its content has no words. */
  readonly label?: string;
  /** The link leads to the current view. */
  readonly isCurrent?: boolean;
  /** The link is disabled for now, but keeps the focus. */
  readonly isOff?: boolean;
  /** Called before the navigation. */
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}

/** A link to another view of the console. */
export function Link({
  id,
  view,
  list,
  class: more = '',
  label,
  isCurrent = false,
  isOff = false,
  onFollow,
  children,
}: LinkProps) {
  // It may lead to a list that another view has changed.
  useAddress();
  const destination = { view, list };
  return (
    <a
      id={id}
      class={more}
      title={label}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      {...(isOff ? { 'aria-disabled': true, tabIndex: -1 } : {})}
      href={printAddress(addressOf(destination))}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        if (isOff) return;
        onFollow?.();
        goTo(destination);
      }}
    >
      {children}
    </a>
  );
}
