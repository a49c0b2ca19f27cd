import { useEffect, useRef, useState } from 'preact/hooks';
import type { User } from '../api/directory.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { countUsersIn } from '../parts/numbers.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { Confirm, Progress, Report, type StepProps, summarize, words } from './bulk-steps.tsx';
import { type BulkResult, runBulk } from './run-bulk.ts';

export interface BulkDialogProps extends StepProps {
  /** @param done those for whom it was done */
  readonly onClose: (done: readonly User[]) => void;
}

/** Asks, shows how far it is, and tells at the end what failed and why. */
export function BulkDialog({ action, users, onClose }: BulkDialogProps) {
  const [step, setStep] = useState<'confirm' | 'running' | 'stopping' | 'over'>('confirm');
  const [results, setResults] = useState<readonly BulkResult[]>([]);
  const controller = useRef(new AbortController());
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
    controller.current.abort();
  };
  useEffect(() => leave, []);
  const start = async () => {
    setStep('running');
    const signal = AbortSignal.any([controller.current.signal, sessionEnd]);
    const all: BulkResult[] = [];
    const take = (result: BulkResult) => {
      all.push(result);
      setResults([...all]);
    };
    await untilShown(runBulk(users, action, signal, take));
    setStep('over');
    // By the browser's Back, which a dialog doesn't hold up.
    if (isLeft.current && !sessionEnd.aborted)
      announce(`You left before the end. ${words[action].title}: ${summarize(users, all)}`);
  };
  const stop = () => {
    controller.current.abort();
    setStep('stopping');
  };
  const close = () => onClose(results.filter(({ reason }) => reason === '').map(({ user }) => user));
  const isRunning = step === 'running' || step === 'stopping';
  return (
    <Dialog
      title={`${words[action].title} ${countUsersIn(users.length)}`}
      {...(isRunning ? {} : { onClose: close })}
    >
      {step === 'confirm' && <Confirm action={action} users={users} onStart={start} onClose={close} />}
      {isRunning && (
        <Progress total={users.length} results={results} isStopping={step === 'stopping'} onStop={stop} />
      )}
      {step === 'over' && <Report users={users} results={results} onClose={close} />}
    </Dialog>
  );
}
