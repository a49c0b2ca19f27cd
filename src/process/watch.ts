/** A worker that answers nothing any more, though it lives: stopped, or held up for good by what it calls. */
import type { Worker } from 'node:cluster';
import { isReport, type Question } from './protocol.ts';

/** It is asked that often within the time it has, so that a primary that was itself held up doesn't take it for silent. */
const questions = 6;

/** @param patience in ms; @param onSilent called when it has let a question unanswered for that long, again and again until it ends */
export function watch(worker: Worker, patience: number, onSilent: () => void): void {
  let unanswered = 0;
  const ask = () => {
    if (unanswered >= questions) onSilent();
    // Not again: what a stopped process doesn't read would pile up here.
    else if (unanswered === 0) worker.send({ kind: 'alive?' } satisfies Question);
    unanswered += 1;
  };
  worker.on('message', (message: unknown) => {
    if (isReport(message) && message.kind === 'alive') unanswered = 0;
  });
  const timer = setInterval(ask, patience / questions).unref();
  worker.process.once('close', () => clearInterval(timer));
}
