/** What clients have sent to a service and been answered, write by write: the change log is held against it. */
import { randomUUID } from 'node:crypto';

/** What one write shall do to one resource: an entry of the change log. */
export interface Effect {
  /** Such as `user.created`. */
  readonly type: string;
  /** Undefined until the service has given it. */
  id?: string;
  /** As it was answered. */
  version?: string;
  /** `none`: it may have been done or not. */
  answer: 'none' | 'done' | 'refused';
}

/** A request that writes. */
export interface Sent {
  /** Its X-Request-Id, which its entries have. */
  readonly request: string;
  readonly effects: readonly Effect[];
  /** When it was sent and answered, in the order of all requests and answers. */
  readonly sentAt: number;
  answeredAt: number;
}

export class Ledger {
  readonly sent = new Map<string, Sent>();
  /** Writes that were answered as done. */
  done = 0;
  #time = 0;

  /** Before the request is sent. @param effects with the ids, where the client knows them */
  begin(effects: readonly Pick<Effect, 'type' | 'id'>[]): Sent {
    this.#time += 1;
    const sent: Sent = {
      request: randomUUID(),
      effects: effects.map((effect) => ({ ...effect, answer: 'none' })),
      sentAt: this.#time,
      answeredAt: Number.POSITIVE_INFINITY,
    };
    this.sent.set(sent.request, sent);
    return sent;
  }

  /** Once the answer has come. What became of the effects is set by the caller. */
  end(sent: Sent): void {
    this.#time += 1;
    sent.answeredAt = this.#time;
    if (sent.effects.some(({ answer }) => answer === 'done')) this.done += 1;
  }

  /** Writes whose end their client doesn't know. */
  get unanswered(): number {
    return [...this.sent.values()].filter(({ effects }) => effects.some(({ answer }) => answer === 'none'))
      .length;
  }
}
