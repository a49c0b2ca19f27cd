/** Clients that write to a service in every possible way, continue after every failure, and record the responses. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { exchange } from '../../support/exchanges.ts';
import type { Effect, Ledger, Sent } from './ledger.ts';
import type { Services } from './services.ts';

/** What is read of an answer: a resource, or the response of a Bulk. */
interface Answered {
  readonly id?: string;
  readonly meta?: { readonly version?: string };
  readonly Operations?: readonly Operation[];
}

interface Operation {
  readonly status: string;
  readonly version?: string;
  readonly location?: string;
}

/** Thrown when the life of a resource ends early: a write was not answered, or time is up. */
export class Ended extends Error {}

const [unavailable, outcomeUnknown] = [503, 504];
const mediaTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

/** In ms: before a request that was refused for now is repeated. */
const untilRetry = 100;

export class WritingClient {
  readonly #services: Services;
  readonly #ledger: Ledger;
  readonly #authorization: string;
  isStopped = false;

  constructor(services: Services, ledger: Ledger, authorization: string) {
    [this.#services, this.#ledger, this.#authorization] = [services, ledger, authorization];
  }

  /**
   * Writes, again as long as nothing can be done; then notes the ids and versions that were answered.
   * @throws Ended when the outcome is not known
   */
  async write(
    method: string,
    path: string,
    body: object | undefined,
    effects: readonly Pick<Effect, 'type' | 'id'>[],
  ): Promise<Sent> {
    while (!this.isStopped) {
      const sent = this.#ledger.begin(effects);
      const { status, text } = await this.#send(method, path, body, sent.request);
      if (status === outcomeUnknown) throw new Ended();
      const isDone = status >= 200 && status < 300;
      expect(isDone || status === unavailable, `${status} ${method} ${path}: ${text}`).to.equal(true);
      if (isDone) noteDone(sent, text === '' ? {} : JSON.parse(text));
      else for (const effect of sent.effects) effect.answer = 'refused';
      this.#ledger.end(sent);
      if (isDone) return sent;
      await pause(untilRetry);
    }
    throw new Ended();
  }

  async #send(method: string, path: string, body: object | undefined, request: string) {
    const type = path.startsWith('/scim/') ? 'application/scim+json' : mediaTypes[method];
    const headers = {
      authorization: this.#authorization,
      'x-request-id': request,
      ...(body && { 'content-type': type ?? 'application/json' }),
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const { agent, url } = this.#services;
    try {
      const answer = await exchange(url + path, { ...sent, agent, unreported: true });
      return { status: answer.status, text: String(answer.body) };
    } catch (error) {
      // Otherwise the connection broke, perhaps in the middle of the answer.
      const isNotSent = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      return { status: isNotSent ? unavailable : outcomeUnknown, text: '' };
    }
  }
}

/** Operations of a Bulk have outcomes of their own. */
function noteDone({ effects }: Sent, { id, meta, Operations = [] }: Answered): void {
  for (const [at, effect] of effects.entries()) {
    const { status = '200', version = meta?.version, location } = Operations[at] ?? {};
    effect.answer = answerOf(Number(status));
    if (effect.answer !== 'done') continue;
    effect.id ??= id ?? location?.split('/').at(-1) ?? '';
    if (version !== undefined && !effect.type.endsWith('deleted'))
      effect.version = version.replaceAll(/W\/|"/g, '');
  }
}

function answerOf(status: number): Effect['answer'] {
  if (status === outcomeUnknown) return 'none';
  return status < 300 ? 'done' : 'refused';
}
