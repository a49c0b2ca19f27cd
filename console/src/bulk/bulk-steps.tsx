/** The steps of a change for many: asking first, how far it is, and what came of it. */
import { Link } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';
import { kindOf, nameOf, type Resource, refOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { BulkResult } from './run-bulk.ts';

const words = texts.bulk;

interface NamesProps {
  readonly resources: readonly Resource[];
  /** Left out: they stay. */
  readonly onRemove?: (resource: Resource) => void;
}

/** Those that something is to be done to, or with. */
export const Names = ({ resources, onRemove }: NamesProps) => (
  <ul class="names">
    {resources.map((resource) => (
      <li key={resource.id}>
        <bdi>{nameOf(resource)}</bdi>
        {onRemove !== undefined && (
          <button
            type="button"
            class="bare"
            aria-label={words.leaveOut(nameOf(resource))}
            onClick={() => onRemove(resource)}
          >
            <Icon name="close" />
          </button>
        )}
      </li>
    ))}
  </ul>
);

interface ProgressProps {
  readonly total: number;
  readonly results: readonly BulkResult[];
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

export const Progress = ({ total, results, isStopping, onStop }: ProgressProps) => (
  <>
    <progress max={total} value={results.length} aria-label={words.progress} />
    <p role="status">{words.of(results.length, total)}</p>
    <div class="actions">
      <button type="button" disabled={isStopping} onClick={onStop}>
        {isStopping ? words.stopping : words.stop}
      </button>
    </div>
  </>
);

interface ReportProps {
  readonly resources: readonly Resource[];
  readonly results: readonly BulkResult[];
  readonly onClose: () => void;
}

const failuresOf = (results: readonly BulkResult[]): readonly BulkResult[] =>
  results.filter(({ reason }) => reason !== '');

/** `3 users done, 1 failed, 2 not begun.` */
export function summarize(resources: readonly Resource[], results: readonly BulkResult[]): string {
  const [first] = resources;
  const failed = failuresOf(results).length;
  const left = resources.length - results.length;
  const { count } = texts.kinds[first === undefined ? 'user' : kindOf(first)];
  const parts = [words.done(count(results.length - failed))];
  if (failed > 0) parts.push(words.failed(failed));
  if (left > 0) parts.push(words.notBegun(left));
  return `${parts.join(', ')}.`;
}

export function Report({ resources, results, onClose }: ReportProps) {
  const failed = failuresOf(results);
  const left = resources.length - results.length;
  return (
    <>
      <p role="status">{summarize(resources, results)}</p>
      {failed.length > 0 && (
        <ul class="failures">
          {failed.map(({ resource, reason }) => (
            <li key={resource.id}>
              <Link view={{ name: 'one', ...refOf(resource) }}>
                <bdi>{nameOf(resource)}</bdi>
              </Link>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {failed.length + left > 0 && <p class="quiet">{words.staySelected}</p>}
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </>
  );
}
