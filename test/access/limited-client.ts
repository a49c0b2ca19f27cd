/** Sends steps to a service, whose clock and ids depend on nothing but the step. */
import { expect } from 'chai';
import type { Answer, TestService } from '../support/service.ts';
import type { Document } from './profile-model.ts';
import { bodyOf, type Seen, type Step, toRequest } from './steps.ts';

export interface Client {
  readonly service: TestService;
  /** The profile; left out: none. */
  readonly as?: string | undefined;
}

/** Its answers aren't held to the published contract, which knows no declared attributes, and requires members that profiles hide. */
export const base = '/declared';

/** What both services make: equal in the same step. */
export function makers() {
  let [step, made] = [0, 0];
  const next = (): string => String(step * 100 + made++).padStart(12, '0');
  return {
    begin() {
      step += 1;
      made = 0;
    },
    of: () => ({
      clock: { now: () => new Date(Date.UTC(2026, 0, 1) + step * 1000) },
      ids: { id: () => `d0000000-0000-7000-8000-${next()}`, version: () => `w${next()}` },
    }),
  };
}

/** What a step needs to know before. */
export async function lookThere({ service, as }: Client, step: Step): Promise<Seen> {
  if (!step.isSeen && step.condition?.[1] !== 'current') return { tag: '' };
  const sent = as === undefined ? {} : { as };
  const Accept = step.form === 'scim' ? 'application/scim+json' : `application/${step.form}`;
  const { headers } = await service.send(base + step.path, { ...sent, headers: { Accept } });
  const plain = await service.send(
    base + step.path.replace(/^\/scim\/v2\/(\w)/, (_, first: string) => `/${first.toLowerCase()}`),
    sent,
  );
  const document = plain.status === 200 ? (plain.json() as unknown as Document) : undefined;
  return { tag: headers.get('etag') ?? '', ...(document && { document }) };
}

/** The outcome of the only operation of a Bulk, as an answer. */
function outcomeIn(answer: Answer): Answer {
  expect(answer.status, answer.text).to.equal(200);
  const [outcome] = answer.json().Operations as readonly {
    status: string;
    location?: string;
    response?: object;
  }[];
  const { status, location, response } = outcome ?? expect.fail(answer.text);
  const text = response ? JSON.stringify(response) : '';
  const headers = new Headers({ ...(location && { location }), 'content-type': 'application/scim+json' });
  return { status: Number(status), headers, text, json: () => JSON.parse(text) };
}

export async function sendThere(
  { service, as }: Client,
  step: Step,
  seen: Seen,
  body?: Document,
): Promise<Answer> {
  const { path, ...request } = toRequest(step, seen, body ?? bodyOf(step, seen));
  const answer = await service.send(base + path, { ...request, ...(as !== undefined && { as }) });
  return step.isBulk ? outcomeIn(answer) : answer;
}
