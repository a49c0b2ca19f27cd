/** What the steps of a bulk change show: names, and results in words. */
import { Icon } from '../parts/icons.tsx';
import { kindOf, nameOf, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { BulkAction, BulkResult } from './run-bulk.ts';

const words = texts.bulk;

/** The maximum number of shown names; others are counted. */
const maxNames = 100;

/** Shows the name, and the user name, which distinguishes people with the same name. */
export const NameOf = ({ resource }: { readonly resource: Resource }) => (
  <span>
    <bdi>{titleOf(resource)}</bdi>
    {titleOf(resource) !== nameOf(resource) && <bdi class="quiet"> {nameOf(resource)}</bdi>}
  </span>
);

interface NamesProps {
  readonly resources: readonly Resource[];
  /** Omitted: they cannot be removed. */
  readonly onRemove?: (resource: Resource) => void;
}

/** Removes the item of a button, and moves the focus to the button of a neighbour. */
function removeItem(button: HTMLElement, remove: () => void): void {
  const item = button.closest('li');
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
  remove();
  neighbour?.querySelector('button')?.focus();
}

/** The resources of an action. */
export const Names = ({ resources, onRemove }: NamesProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
  <ul class="names" aria-label={words.affected} tabIndex={0}>
    {resources.slice(0, maxNames).map((resource) => (
      <li key={resource.id}>
        <NameOf resource={resource} />
        {onRemove !== undefined && (
          <button
            type="button"
            class="bare"
            aria-label={words.leaveOut(nameOf(resource))}
            onClick={(event) => removeItem(event.currentTarget, () => onRemove(resource))}
          >
            <Icon name="close" />
          </button>
        )}
      </li>
    ))}
    {resources.length > maxNames && <li class="quiet">{words.more(resources.length - maxNames)}</li>}
  </ul>
);

/** A run, and its results so far. */
export interface Run {
  readonly action: BulkAction;
  readonly resources: readonly Resource[];
  readonly done: number;
  /** Included in `done`. */
  readonly unchanged: number;
  readonly failed: readonly BulkResult[];
}

export const record = (run: Run, result: BulkResult): Run =>
  result.reason === ''
    ? { ...run, done: run.done + 1, unchanged: run.unchanged + (result.isUnchanged ? 1 : 0) }
    : { ...run, failed: [...run.failed, result] };

export const countThrough = ({ done, failed }: Run): number => done + failed.length;

export const countLeft = (run: Run): number => run.resources.length - countThrough(run);

const sayDone = (action: BulkAction, what: string): string =>
  'group' in action ? words.done[action.name](what, nameOf(action.group)) : words.done[action.name](what);

/** `3 users deactivated, 1 failed, 2 not begun.` */
export function summarize(run: Run): string {
  const { action, done, unchanged, failed } = run;
  const [first] = run.resources;
  const left = countLeft(run);
  const { count } = texts.kinds[first === undefined ? 'user' : kindOf(first)];
  const parts = [sayDone(action, count(done - unchanged))];
  if (unchanged > 0) parts.push(words.unchanged(unchanged));
  if (failed.length > 0) parts.push(words.failed(failed.length));
  if (left > 0) parts.push(words.notBegun(left));
  return `${parts.join(', ')}.`;
}
