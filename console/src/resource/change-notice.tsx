import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Change } from '../change/change-resource.ts';
import { Notice } from '../parts/notice.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

interface ChangeNoticeProps {
  readonly kind: KindName;
  readonly change: Change;
  /** The word for success, such as `Saved`. */
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
    <Notice tone="bad" title={texts.resource.unknown}>
      <p>
        {texts.resource.unknownText[kind]} {texts.resource.keptHere}
      </p>
      <p class="actions">
        <button type="button" onClick={onLookAgain}>
          {texts.resource.checkAgain}
        </button>
      </p>
    </Notice>
  );
}

/** The outcome of a change. */
export function ChangeNotice({ kind, change, done, onRetry, onLookAgain, onCreateAgain }: ChangeNoticeProps) {
  switch (change.kind) {
    case 'done':
      return change.isFound ? (
        <Notice tone="good" title={texts.resource.foundDone(done)}>
          <p>{texts.resource.foundDoneText[kind]}</p>
        </Notice>
      ) : (
        <Notice tone="good" title={done} />
      );
    case 'not-done':
      return (
        <Notice tone="warning" title={texts.resource.notDone}>
          <p>{texts.resource.notDoneText[kind]}</p>
        </Notice>
      );
    case 'unknown':
      return <UnknownNotice kind={kind} onLookAgain={() => onLookAgain(change.lookAgain)} />;
    case 'gone':
      return (
        <Notice tone="bad" title={texts.resource.gone[kind]}>
          <p>{texts.resource.keptHere}</p>
          {onCreateAgain !== undefined && (
            <p class="actions">
              <button type="button" onClick={onCreateAgain}>
                {texts.resource.createAgain}
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
