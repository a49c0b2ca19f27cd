import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { listKeyOf } from '../address/address.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import { type Resource, refOf } from '../schema/kinds.ts';

/** By the key of a list, the id of the row that was opened last. */
const opened = new Map<string, string>();

/** Call it when a link leads to the beginning of a list. */
export const forgetOpened = (): void => opened.clear();

const elementIdOf = (id: string): string => `row-${id}`;

interface RowLinkProps {
  readonly resource: Resource;
  readonly children: ComponentChildren;
}

/** Links from a row to the page of its resource. */
export function RowLink({ resource, children }: RowLinkProps) {
  const list = listKeyOf(useAddress().view);
  return (
    <Link
      id={elementIdOf(resource.id)}
      view={{ name: 'one', ...refOf(resource) }}
      onFollow={() => opened.set(list, resource.id)}
    >
      {children}
    </Link>
  );
}

/** On return to a list, moves the focus to the row that was opened, unless it is in a text field. */
export function useFocusOnReturn(resources: readonly Resource[]): void {
  const list = listKeyOf(useAddress().view);
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || resources.length === 0) return;
    isDone.current = true;
    const row = document.getElementById(elementIdOf(opened.get(list) ?? ''));
    opened.delete(list);
    if (document.activeElement?.matches('body, #main')) row?.focus();
  }, [resources]);
}

/** Selects the row that has the focus, or clears it: as a click on its box does, with Shift for a range. */
export function toggleRow(shiftKey: boolean): void {
  const row = document.activeElement?.closest('.rows tbody tr');
  row
    ?.querySelector('.check input')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

/** The arrow keys continue from the row with the focus. */
export function moveByArrow(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
  if (step === undefined || !(event.target as Element).matches('.lead a')) return;
  event.preventDefault();
  moveToRow(step);
}

/** @param step 1 for the next row, -1 for the one before */
export function moveToRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.rows .lead a')];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const start = step === 1 ? 0 : links.length - 1;
  links[at === -1 ? start : at + step]?.focus();
}
