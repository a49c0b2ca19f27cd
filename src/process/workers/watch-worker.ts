/** Detects a worker that lives but doesn't answer: one that is stopped, or blocked for good. */
import type { Worker } from 'node:cluster';
import { isReport, type Question } from './worker-messages.ts';

/** Several, so that a primary that was blocked itself doesn't take the worker for unresponsive. */
const questionsInTime = 6;

/**
 * @param patience in ms
 * @param onSilent called when a question stays unanswered for that long, repeatedly until the worker ends
 */
export function watchWorker(worker: Worker, patience: number, onSilent: () => void): void {
  let unanswered = 0;
  const ask = () => {
    if (unanswered >= questionsInTime) onSilent();
    // No further question before the answer: a stopped process doesn't read, and they would pile up.
    else if (unanswered === 0) worker.send({ kind: 'alive?' } satisfies Question);
    unanswered += 1;
  };
  worker.on('message', (message: unknown) => {
    if (isReport(message) && message.kind === 'alive') unanswered = 0;
  });
  const timer = setInterval(ask, patience / questionsInTime).unref();
  worker.process.once('close', () => clearInterval(timer));
}
