import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Change } from '../change/change-user.ts';
import { Notice } from '../parts/notice.tsx';

interface ChangeNoticeProps {
  readonly change: Change;
  /** What was done, in a word or two, such as `Saved`. */
  readonly done: string;
  readonly onRetry: () => void;
  readonly onLookAgain: (look: () => Promise<Change>) => void;
  /** Offered where the user is gone. */
  readonly onCreateAgain?: () => void;
}

/** It is looked at again by itself when the connection is back. */
function UnknownNotice({ onLookAgain }: { readonly onLookAgain: () => void }) {
  useEffect(() => {
    addEventListener('online', onLookAgain);
    return () => removeEventListener('online', onLookAgain);
  });
  return (
    <Notice tone="bad" title="It is not known whether your change was made">
      <p>
        The service did not answer in time, and the user can’t be read right now. What you have typed is still
        here.
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
export function ChangeNotice({ change, done, onRetry, onLookAgain, onCreateAgain }: ChangeNoticeProps) {
  switch (change.kind) {
    case 'done':
      return change.isFound ? (
        <Notice tone="good" title={`${done}, although the service did not say so in time`}>
          <p>The user was read again: your change is there.</p>
        </Notice>
      ) : (
        <Notice tone="good" title={done} />
      );
    case 'not-done':
      return (
        <Notice tone="warning" title="Nothing was changed">
          <p>
            The service did not answer in time. The user was read again: your change is not there. Save once
            more.
          </p>
        </Notice>
      );
    case 'unknown':
      return <UnknownNotice onLookAgain={() => onLookAgain(change.lookAgain)} />;
    case 'gone':
      return (
        <Notice tone="bad" title="Somebody has deleted this user meanwhile">
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
