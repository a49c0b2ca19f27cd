import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Resource } from '../schema/kinds.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { noneYet, Progress, type Results, record, summarize } from './bulk-steps.tsx';
import { Report } from './report.tsx';
import { type BulkAction, runBulk } from './run-bulk.ts';

export type Start = (action: BulkAction, resources: readonly Resource[]) => void;

interface BulkDialogProps {
  readonly title: string;
  /** The first step, which asks for the details. */
  readonly ask: (start: Start, close: () => void) => ComponentChildren;
  /** Called at the end of the run, also after the dialog was closed. @param done the changed resources */
  readonly onDone: (done: readonly Resource[]) => void;
  readonly onClose: () => void;
}

interface Run {
  readonly action: BulkAction;
  readonly resources: readonly Resource[];
}

/** Asks, shows how far it is, and tells at the end what failed and why. */
export function BulkDialog({ title, ask, onDone, onClose }: BulkDialogProps) {
  const [step, setStep] = useState<'ask' | 'running' | 'stopping' | 'over'>('ask');
  const [run, setRun] = useState<Run>();
  const [results, setResults] = useState<Results>(noneYet);
  const controller = useRef(new AbortController());
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
      controller.current.abort();
    },
    [],
  );
  const start: Start = async (action, resources) => {
    setStep('running');
    setRun({ action, resources });
    setResults(noneYet);
    const signal = AbortSignal.any([controller.current.signal, sessionEnd]);
    const done: Resource[] = [];
    let all = noneYet;
    await untilShown(
      runBulk(resources, action, signal, (result) => {
        if (result.reason === '') done.push(result.resource);
        all = record(all, result);
        setResults(all);
      }),
    );
    setStep('over');
    if (sessionEnd.aborted) return;
    // By the browser's Back, which a dialog doesn't hold up.
    if (isLeft.current) announce(texts.bulk.leftEarly(title, summarize(action, resources, all)));
    if (done.length > 0) onDone(done);
  };
  const stop = () => {
    controller.current.abort();
    setStep('stopping');
  };
  const retry = ({ action }: Run, resources: readonly Resource[]) => {
    controller.current = new AbortController();
    start(action, resources);
  };
  const isRunning = step === 'running' || step === 'stopping';
  return (
    <Dialog title={title} {...(isRunning ? {} : { onClose })}>
      {step === 'ask' && ask(start, onClose)}
      {isRunning && run !== undefined && (
        <Progress
          total={run.resources.length}
          results={results}
          isStopping={step === 'stopping'}
          onStop={stop}
        />
      )}
      {step === 'over' && run !== undefined && (
        <Report
          action={run.action}
          resources={run.resources}
          results={results}
          onRetry={(failed) => retry(run, failed)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
