import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { newId } from '../change/new-id.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Running, useStoppable } from '../parts/running.tsx';
import { kindOf, type Resource, refOf } from '../schema/kinds.ts';
import { mayDo, sessionState } from '../session/session.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { countLeft, countThrough, type Run, record, summarize } from './bulk-steps.tsx';
import { describeEdit, Report } from './report.tsx';
import { type BulkAction, runBulk } from './run-bulk.ts';
import { renewSelected } from './selection.ts';
import { undoOf } from './undo.ts';

export type Start = (action: BulkAction, resources: readonly Resource[]) => void;

/** Functions that end a dialog. */
export interface DialogEnds {
  /** Called at the end of the run, also after the dialog was closed. @param done the changed resources */
  readonly onDone: (done: readonly Resource[]) => void;
  readonly onClose: () => void;
}

interface BulkDialogProps extends DialogEnds {
  readonly title: string;
  /** The first step, which asks for the details. */
  readonly ask: (start: Start) => ComponentChildren;
}

/** Asks for details, shows the progress, and reports failures with their reasons. */
export function BulkDialog({ title, ask, onDone, onClose }: BulkDialogProps) {
  const [run, setRun] = useState<Run>();
  const [isRunning, setRunning] = useState(false);
  const { begin, stop, isLeft } = useStoppable();
  const start: Start = async (action, resources) => {
    const done: Resource[] = [];
    const operation = newId();
    let latest: Run = { action, resources, done: 0, unchanged: 0, failed: [] };
    setRun(latest);
    setRunning(true);
    await untilShown(
      runBulk(resources, action, operation, begin(), (result) => {
        if (result.reason === '') done.push(result.resource);
        latest = record(latest, result);
        setRun(latest);
      }),
    );
    setRunning(false);
    if (sessionEnd.aborted) return;
    // Closed by the browser's Back, which a dialog cannot prevent.
    if (isLeft()) announce(texts.bulk.leftEarly(title, summarize(latest)));
    if (action.name === 'delete') for (const one of done) renewSelected(refOf(one), undefined);
    if (done.length > 0) onDone(done);
    if (isLeft() || latest.failed.length > 0 || countLeft(latest) > 0) return;
    // The history has the previous values.
    const isUndone = latest.done > latest.unchanged && mayDo(sessionState.value, 'history:read');
    const undo = isUndone ? undoOf(operation, () => onDone([])) : undefined;
    const [first] = resources;
    const edit = action.name === 'edit' && first ? `${describeEdit(action.change, kindOf(first))}. ` : '';
    announce(edit + summarize(latest), 'good', undo);
    onClose();
  };
  return (
    <Dialog title={title} {...(isRunning ? {} : { onClose })}>
      {run === undefined && ask(start)}
      {run !== undefined && isRunning && (
        <Running label={texts.bulk.progress} done={countThrough(run) / run.resources.length} onStop={stop}>
          {texts.bulk.of(countThrough(run), run.resources.length)}
        </Running>
      )}
      {run !== undefined && !isRunning && (
        <Report run={run} onRetry={(failed) => start(run.action, failed)} onClose={onClose} />
      )}
    </Dialog>
  );
}
