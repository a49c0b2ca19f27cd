import { useEffect, useMemo, useState } from 'preact/hooks';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Change } from '../api/changes.ts';
import { describeDay } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { useStoppable } from '../parts/running.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { texts } from '../texts/texts.ts';
import { joinMemberChanges } from './change-summary.tsx';
import { type ChangeContext, ChangeView, type ChangeViewProps } from './change-view.tsx';
import { findUndone, readSince } from './undone.ts';
import type { History } from './use-history.ts';

interface HistoryListProps extends ChangeContext {
  readonly history: History;
  /** The message when there are no changes. */
  readonly none: string;
}

/** Why the log could not be read; also used outside of this list. */
export function HistoryFailure({ failure, again }: Pick<History, 'failure' | 'again'>) {
  if (failure === undefined) return null;
  if (failure.page?.endsWith('not-logged'))
    return <Notice tone="info" title={texts.history.off} text={texts.history.offText} />;
  if (failure.status === 404)
    return <Notice tone="info" title={texts.history.unknown} text={texts.failures['404Text']} />;
  return <FailureNotice failure={failure} retry={again} isAutomatic />;
}

type Line = ChangeViewProps['changes'];

/** Changes of one type that an operation has made, such as a bulk change or an import, are one line in a list of many resources. */
export const toLines = (changes: readonly Change[], isNamed: boolean): readonly Line[] =>
  [
    ...Map.groupBy(joinMemberChanges(changes), ({ cursor, type, request }) =>
      isNamed && request !== undefined ? `${request} ${type}` : cursor,
    ).values(),
  ] as unknown as readonly Line[];

/** Changes, the newest first; older ones on request. */
export function HistoryList({ history, none, ...shown }: HistoryListProps) {
  const { changes, next, failure, isBusy, isFiltered, showMore } = history;
  const isEmpty = changes.length === 0;
  const last = changes.at(-1) as Change;
  const { isNamed = false } = shown;
  const [since, setSince] = useState<readonly Change[]>([]);
  const { begin } = useStoppable();
  useEffect(() => {
    const signal = begin();
    // If this fails, or another view is shown, only the changes in the list are compared.
    if (isFiltered && !isBusy) readSince(changes, signal).then(setSince, () => setSince([]));
  }, [isBusy]);
  const undone = useMemo(
    () =>
      findUndone(isNamed ? joinMemberChanges(changes) : [], isFiltered ? [...since, ...changes] : changes),
    [changes, since],
  );
  return (
    <div class="stack" aria-busy={isBusy}>
      {isEmpty && isBusy && <Skeleton rows={6} />}
      {[...Map.groupBy(toLines(changes, isNamed), ([{ at }]) => describeDay(at))].map(([day, lines]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ol class={`changes ${isNamed ? 'named' : ''}`}>
            {lines.map((line) => (
              <li key={line[0].cursor}>
                <ChangeView
                  changes={line}
                  isCut={next !== undefined && line.includes(last)}
                  {...{ ...shown, undone }}
                />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <HistoryFailure {...history} />
      {isEmpty && !isBusy && failure === undefined && (
        <p class="quiet" role="status">
          {next === undefined ? none : texts.history.noneYet}
        </p>
      )}
      {next !== undefined && (
        <button type="button" class="show-more" aria-disabled={isBusy} onClick={() => !isBusy && showMore()}>
          {isBusy ? texts.history.loading : isEmpty ? texts.history.searchOn : texts.history.showMore}
        </button>
      )}
    </div>
  );
}
