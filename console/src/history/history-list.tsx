import { FailureNotice } from '../answers/failure-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { texts } from '../texts/texts.ts';
import { ChangeView, type ChangeViewProps } from './change-view.tsx';
import { joinMemberChanges } from './join-changes.ts';
import type { History } from './use-history.ts';

interface HistoryListProps extends Omit<ChangeViewProps, 'change'> {
  readonly history: History;
  /** Said where there is no change at all. */
  readonly none: string;
}

function HistoryFailure({ failure, again }: History) {
  if (failure === undefined) return null;
  if (failure.page?.endsWith('not-logged'))
    return <Notice tone="info" title={texts.history.off} text={texts.history.offText} />;
  if (failure.status === 404)
    return <Notice tone="info" title={texts.history.unknown} text={texts.history.unknownText} />;
  return <FailureNotice failure={failure} retry={again} isAutomatic />;
}

/** Changes, the newest first; older ones on request. */
export function HistoryList({ history, none, ...shown }: HistoryListProps) {
  const { changes, next, failure, isBusy, showMore } = history;
  const isEmpty = changes.length === 0;
  return (
    <div class="stack" aria-busy={isBusy}>
      {isEmpty && isBusy && <Skeleton rows={6} />}
      <ol class="changes">
        {joinMemberChanges(changes).map((change) => (
          <li key={change.cursor} class="change">
            <ChangeView change={change} {...shown} />
          </li>
        ))}
      </ol>
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
