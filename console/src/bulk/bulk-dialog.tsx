import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Resource } from '../schema/kinds.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { Progress, Report, summarize } from './bulk-steps.tsx';
import { type BulkAction, type BulkResult, runBulk } from './run-bulk.ts';

export type Start = (action: BulkAction, resources: readonly Resource[]) => void;

interface BulkDialogProps {
  readonly title: string;
  /** The first step, which asks what is to be done. */
  readonly ask: (start: Start, close: () => void) => ComponentChildren;
  /** @param done those for which it was done */
  readonly onClose: (done: readonly Resource[]) => void;
}

/** Asks, shows how far it is, and tells at the end what failed and why. */
export function BulkDialog({ title, ask, onClose }: BulkDialogProps) {
  const [step, setStep] = useState<'ask' | 'running' | 'stopping' | 'over'>('ask');
  const [resources, setResources] = useState<readonly Resource[]>([]);
  const [results, setResults] = useState<readonly BulkResult[]>([]);
  const controller = useRef(new AbortController());
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
    controller.current.abort();
  };
  useEffect(() => leave, []);
  const start = async (action: BulkAction, chosen: readonly Resource[]) => {
    setStep('running');
    setResources(chosen);
    const signal = AbortSignal.any([controller.current.signal, sessionEnd]);
    const all: BulkResult[] = [];
    const take = (result: BulkResult) => {
      all.push(result);
      setResults([...all]);
    };
    await untilShown(runBulk(chosen, action, signal, take));
    setStep('over');
    // By the browser's Back, which a dialog doesn't hold up.
    if (isLeft.current && !sessionEnd.aborted) announce(texts.bulk.leftEarly(title, summarize(chosen, all)));
  };
  const stop = () => {
    controller.current.abort();
    setStep('stopping');
  };
  const close = () => onClose(results.filter(({ reason }) => reason === '').map(({ resource }) => resource));
  const isRunning = step === 'running' || step === 'stopping';
  return (
    <Dialog title={title} {...(isRunning ? {} : { onClose: close })}>
      {step === 'ask' && ask(start, close)}
      {isRunning && (
        <Progress total={resources.length} results={results} isStopping={step === 'stopping'} onStop={stop} />
      )}
      {step === 'over' && <Report resources={resources} results={results} onClose={close} />}
    </Dialog>
  );
}
