/** Attempts to deliver messages to one receiver: how each ended, and when the next one is to be made. */
import { messageOf } from '../system/errors.ts';
import { patience } from './log-reader.ts';
import type { Message } from './message.ts';
import type { Attempt, Progress } from './progress.ts';
import type { Receiver } from './receivers.ts';
import { maxTries, planRetry, type Retry } from './retry.ts';
import { awaitTurn, isSuccess, Sender } from './sender.ts';

export interface AttemptsParts {
  readonly clock: { now(): number };
  readonly onAttempt: (attempt: Attempt) => void;
  readonly onProblem: (problem: string) => void;
}

interface Ended {
  /** Left out if there was no attempt, or `stop` cut it off. */
  readonly outcome?: string;
  /** When the next attempt is due; left out after a success. */
  readonly retry?: Retry;
}

export class Attempts {
  readonly #parts: AttemptsParts;
  readonly #sender = new Sender();
  #isStopped = false;
  #onIdle: () => void = () => undefined;
  /** Those that have begun and are not over. */
  open = 0;
  last: Progress['last'];
  disabled: Progress['disabled'];

  constructor(parts: AttemptsParts, { last, disabled }: Pick<Progress, 'last' | 'disabled'>, mark: string) {
    [this.#parts, this.last] = [parts, last];
    if (disabled === mark) this.disabled = disabled;
  }

  get areOver(): boolean {
    return this.#isStopped || this.disabled !== undefined;
  }

  /** To be followed by `end`. @param write the message, when it is its turn */
  async begin(receiver: Receiver, { tries, due }: Retry, write: () => Promise<Message>): Promise<Ended> {
    const { clock, onAttempt, onProblem } = this.#parts;
    this.open += 1;
    try {
      await awaitTurn();
      const message = await write();
      const { outcome, retryAfter } = await this.#sender.send(receiver, message, clock.now());
      const isDelivered = isSuccess(outcome);
      if (this.#isStopped && !isDelivered) return { retry: { tries, due } };
      if (outcome === '410') this.disabled = receiver.mark;
      const isDisabled = this.disabled !== undefined;
      this.last = { at: clock.now(), outcome };
      const failed = isDelivered ? tries : tries + 1;
      const isLast = isDelivered || failed >= maxTries || isDisabled;
      onAttempt({ receiver: receiver.id, message: message.id, outcome, isDelivered, tries: failed, isLast });
      if (isDelivered) return { outcome };
      return { outcome, retry: isDisabled ? { tries, due: 0 } : planRetry(failed, clock.now(), retryAfter) };
    } catch (error) {
      onProblem(`a webhook to ${receiver.id} waits for its values: ${messageOf(error)}`);
      return { retry: { tries, due: clock.now() + patience } };
    }
  }

  /** To be called when the result of `begin` was handled. */
  end(): void {
    this.open -= 1;
    if (this.open === 0) this.#onIdle();
  }

  /** No attempt may begin any more. @param grace in ms: how long attempts may last. Resolves when they have ended */
  async stop(grace: number): Promise<void> {
    this.#isStopped = true;
    if (this.open > 0 && grace > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        setTimeout(resolve, grace).unref();
      });
    this.#sender.close();
  }
}
