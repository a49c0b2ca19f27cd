import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Change } from '../change/change-resource.ts';
import { Notice } from '../parts/notice.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

const words = texts.resource;

interface ChangeNoticeProps {
  readonly kind: KindName;
  readonly change: Change;
  /** The word for success, such as `Saved`. */
  readonly done: string;
  readonly onRetry: () => void;
  readonly onLookAgain: (look: () => Promise<Change>) => void;
  /** Offered when the resource is gone. */
  readonly onCreateAgain?: () => void;
}

interface UnknownNoticeProps extends Pick<ChangeNoticeProps, 'kind' | 'change'> {
  readonly onLookAgain: () => void;
}

/** The outcome is checked again by itself when the connection is back. */
function UnknownNotice({ kind, change, onLookAgain }: UnknownNoticeProps) {
  useEffect(() => {
    addEventListener('online', onLookAgain);
    return () => removeEventListener('online', onLookAgain);
  });
  return (
    <Notice
      tone="bad"
      title={words.unknown}
      text={`${words.unknownText[kind]} ${words.keptHere}`}
      news={change}
    >
      <p class="actions">
        <button type="button" onClick={onLookAgain}>
          {words.checkAgain}
        </button>
      </p>
    </Notice>
  );
}

/** The outcome of a change, scrolled into view: the button that caused it may be far below. */
export function ChangeNotice({ kind, change, done, onRetry, onLookAgain, onCreateAgain }: ChangeNoticeProps) {
  switch (change.kind) {
    case 'done':
      if (!change.isFound) return <Notice tone="good" title={done} news={change} />;
      return (
        <Notice tone="good" title={words.foundDone(done)} text={words.foundDoneText[kind]} news={change} />
      );
    case 'not-done':
      return <Notice tone="warning" title={words.notDone} text={words.notDoneText[kind]} news={change} />;
    case 'unknown':
      return <UnknownNotice {...{ kind, change }} onLookAgain={() => onLookAgain(change.lookAgain)} />;
    case 'gone':
      return (
        <Notice tone="bad" title={words.gone[kind]} text={words.keptHere} news={change}>
          {onCreateAgain !== undefined && (
            <p class="actions">
              <button type="button" onClick={onCreateAgain}>
                {words.createAgain}
              </button>
            </p>
          )}
        </Notice>
      );
    case 'refused':
      return <FailureNotice failure={change.failure} retry={onRetry} isNews />;
    case 'overtaken':
      return null;
  }
}
