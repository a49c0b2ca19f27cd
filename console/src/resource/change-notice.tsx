import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Change } from '../change/change-resource.ts';
import { Notice } from '../parts/notice.tsx';
import type { KindName } from '../schema/kinds.ts';

interface ChangeNoticeProps {
  readonly kind: KindName;
  readonly change: Change;
  /** What was done, in a word or two, such as `Saved`. */
  readonly done: string;
  readonly onRetry: () => void;
  readonly onLookAgain: (look: () => Promise<Change>) => void;
  /** Offered where it is gone. */
  readonly onCreateAgain?: () => void;
}

/** It is looked at again by itself when the connection is back. */
function UnknownNotice({ kind, onLookAgain }: { readonly kind: KindName; readonly onLookAgain: () => void }) {
  useEffect(() => {
    addEventListener('online', onLookAgain);
    return () => removeEventListener('online', onLookAgain);
  });
  return (
    <Notice tone="bad" title="It is not known whether your change was made">
      <p>
        The service did not answer in time, and the {kind} can’t be read right now. What you have typed is
        still here.
      </p>
      <p class="actions">
        <button type="button" onClick={onLookAgain}>
          Look again
        </button>
      </p>
    </Notice>
  );
}

/** What came of a change. */
export function ChangeNotice({ kind, change, done, onRetry, onLookAgain, onCreateAgain }: ChangeNoticeProps) {
  switch (change.kind) {
    case 'done':
      return change.isFound ? (
        <Notice tone="good" title={`${done}, although the service did not say so in time`}>
          <p>The {kind} was read again: your change is there.</p>
        </Notice>
      ) : (
        <Notice tone="good" title={done} />
      );
    case 'not-done':
      return (
        <Notice tone="warning" title="Nothing was changed">
          <p>
            The service did not answer in time. The {kind} was read again: your change is not there. Try once
            more.
          </p>
        </Notice>
      );
    case 'unknown':
      return <UnknownNotice kind={kind} onLookAgain={() => onLookAgain(change.lookAgain)} />;
    case 'gone':
      return (
        <Notice tone="bad" title={`Somebody has deleted this ${kind} meanwhile`}>
          <p>What you have typed is still here.</p>
          {onCreateAgain !== undefined && (
            <p class="actions">
              <button type="button" onClick={onCreateAgain}>
                Create it again with this
              </button>
            </p>
          )}
        </Notice>
      );
    case 'refused':
      return <FailureNotice failure={change.failure} retry={onRetry} />;
    case 'overtaken':
      return null;
  }
}
