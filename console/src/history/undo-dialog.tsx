import { useEffect, useState } from 'preact/hooks';
import { Link, useDialog } from '../address/navigation.tsx';
import { type Change, kindOfChange } from '../api/changes.ts';
import { type Changed, readOperation, type TakenBack, takeBack } from '../bulk/undo.ts';
import { DaysOf } from '../form/day-control.tsx';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { AskingForm, CloseButton, FormButtons } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Running, useStoppable } from '../parts/running.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { ChangeSummary, daysOf, isDeletion, joinMemberChanges, requestsOf } from './change-summary.tsx';

const words = texts.history.undo;

/** The maximum number of shown resources; others are counted. */
const maxShown = 100;

const opposites: Readonly<Record<string, string>> = {
  created: 'deleted',
  restored: 'deleted',
  deleted: 'restored',
};

/** The effect of taking the operation back. */
const backwards = ({ type, before, after, added, removed, ...change }: Change): Change => ({
  ...change,
  type: type.replace(/\w+$/, (done) => opposites[done] ?? done) as Change['type'],
  ...(after && { before: after }),
  ...(before && { after: before }),
  ...(added && { removed: added }),
  ...(removed && { added: removed }),
});

interface ListedProps {
  readonly class: string;
  readonly words: (count: number) => string;
  readonly ends: readonly TakenBack[] | undefined;
}

/** Resources of the operation, with what was changed, or why it stays unchanged. */
const Listed = ({ class: name, words: say, ends = [] }: ListedProps) =>
  ends.length === 0 ? null : (
    <>
      <p>{say(ends.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it */}
      <ul class={name} aria-label={say(ends.length)} tabIndex={0}>
        {ends.slice(0, maxShown).map(({ changed: { kind, id, name: title, changes }, reason }) => (
          <li key={kind + id}>
            <Link view={{ name: 'one', kind, id }}>
              <bdi>{title}</bdi>
            </Link>
            <span>
              {reason || (
                <DaysOf.Provider value={daysOf(changes[0])}>
                  <ChangeSummary change={backwards(joinMemberChanges(changes)[0] ?? changes[0])} />
                </DaysOf.Provider>
              )}
            </span>
          </li>
        ))}
        {ends.length > maxShown && <li class="quiet">{texts.bulk.more(ends.length - maxShown)}</li>}
      </ul>
    </>
  );

/** None has failed. */
const isAsBefore = (ends: readonly TakenBack[] = []): boolean =>
  ends.length > 0 && ends.every(({ reason }) => reason === words.asBefore);

interface UndoDialogProps {
  /** The ids of the requests of the operation, the newest first. */
  readonly requests: readonly string[];
  readonly onDone: (() => void) | undefined;
  readonly onClose: () => void;
}

/** First shows what can be taken back, and what has changed since. */
function UndoDialog({ requests, onDone, onClose }: UndoDialogProps) {
  const [ends, setEnds] = useState<readonly TakenBack[]>([]);
  const [[count, through], setProgress] = useState([0, 0]);
  const [busy, setBusy] = useState<'looking' | 'changing' | undefined>('looking');
  const [failure, setFailure] = useState('');
  const { begin, stop } = useStoppable();
  const run = async (isTrial: boolean, read: (signal: AbortSignal) => Promise<readonly Changed[]>) => {
    const came: TakenBack[] = [];
    const signal = begin();
    setBusy(isTrial ? 'looking' : 'changing');
    try {
      const all = await read(signal);
      await takeBack(all, isTrial, signal, (end) => setProgress([all.length, came.push(end)]));
    } catch (error) {
      if (!signal.aborted) setFailure(String((error as Error).message));
    }
    setEnds(isTrial ? came : came.filter(({ reason }) => reason !== ''));
    setBusy(undefined);
    return came;
  };
  useEffect(() => {
    run(true, (signal) => readOperation(requests, signal));
  }, []);
  const [ready, staying] = [true, false].map((is) => ends.filter(({ reason }) => is === (reason === '')));
  const isUndone = !ready?.length && isAsBefore(ends);
  const start = async () => {
    const came = await untilShown(run(false, async () => ready?.map(({ changed }) => changed) ?? []));
    onDone?.();
    if (came.length < (ready?.length ?? 0) || came.some(({ reason }) => reason !== '')) return;
    announce(texts.bulk.undone(came.length, 0));
    onClose();
  };
  return (
    <Dialog
      title={busy === undefined && isUndone ? words.already : words.title}
      {...(busy === 'changing' ? {} : { onClose })}
    >
      {busy !== undefined && (
        <Running label={texts.bulk.progress} done={count > 0 ? through / count : undefined} onStop={stop}>
          {texts.bulk.of(through, count)}
        </Running>
      )}
      {failure !== '' && <Notice tone="bad" title={failure} />}
      {busy === undefined && (
        <>
          <Listed class="names" words={words.ready} ends={ready} />
          <Listed class={isAsBefore(staying) ? 'names' : 'failures'} words={words.staying} ends={staying} />
          {ready?.length ? (
            <AskingForm onSubmit={start}>
              <FormButtons submit={words.submit(ready.length)} isAlone onCancel={onClose} />
            </AskingForm>
          ) : (
            <div class="actions">
              <CloseButton onClose={onClose} />
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

interface UndoButtonProps {
  /** Of the operation, also those that are joined to one. */
  readonly changes: readonly [Change, ...Change[]];
  readonly onDone: (() => void) | undefined;
}

/** Takes back all changes of an operation: the dialog shows what can be taken back, and what has changed since. */
export function UndoButton({ changes, onDone }: UndoButtonProps) {
  const [change] = changes;
  const requests = [...new Set(changes.flatMap(requestsOf))];
  const [request = ''] = requests;
  const { isOpen, open, close } = useDialog(`undo-${request}`);
  const isAllowed = useScope(scopeOf(kindOfChange(change), isDeletion(change) ? 'delete' : 'write'));
  if (!isAllowed || request === '') return null;
  return (
    <>
      <button type="button" onClick={open}>
        {isDeletion(change) ? texts.history.restore : words.offer}
      </button>
      {isOpen && <UndoDialog requests={requests} onDone={onDone} onClose={close} />}
    </>
  );
}
