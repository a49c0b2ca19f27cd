import { expect } from 'chai';
import type { Answer, Body } from '../../../support/service.ts';
import { Conversation, type Exchange, type ExpectedAnswer, userAnswer } from './exchanges.ts';

const id = '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';
const time = '2026-01-02T03:04:05.678Z';

interface Told {
  readonly status?: number;
  readonly type?: string;
  readonly etag?: string;
  /** Beside what is right. */
  readonly more?: object;
}

function tell({ status = 200, type = 'application/scim+json', etag = '"v1"', more = {} }: Told): Answer {
  const body = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ id, userName: 'ada', active: true },
    meta: {
      ...{ resourceType: 'User', created: time, lastModified: time, version: '"v1"' },
      location: `https://users.example/scim/v2/Users/${id}`,
    },
    ...more,
  };
  const text = JSON.stringify(body);
  return {
    status,
    headers: new Headers({ 'content-type': type, etag }),
    text,
    json: () => JSON.parse(text) as Body,
  };
}

const exchange = (answer: ExpectedAnswer): Exchange => ({
  ...{ title: 'reads a user', method: 'GET', path: '/Users/x', headers: {} },
  answer,
});

/** What it says of these answers to requests for the first, second, … version of a user; undefined when nothing is wrong. */
async function complaint(...answers: readonly Told[]): Promise<string | undefined> {
  const left = answers.map(tell);
  const send = async (): Promise<Answer> => left.shift() ?? expect.fail('asked too often');
  const conversation = new Conversation(send, 'Bearer x', 'https://users.example');
  try {
    for (const [index] of answers.entries())
      await conversation.play(exchange(userAnswer(200, 'ada', index + 1, { userName: 'ada', active: true })));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const wrong: Readonly<Record<string, Told>> = {
  'another status': { status: 201 },
  'another media type': { type: 'application/json' },
  'a member too many': { more: { title: 'Countess' } },
  'a member too few': { more: { active: undefined } },
  'another value': { more: { userName: 'Ada' } },
  'a text in place of a boolean': { more: { active: 'true' } },
  'an id that is none': { more: { id: 'ada' } },
  'a tag that is not the version': { etag: '"v2"' },
};

describe('A recorded exchange', () => {
  it('is compared with the expectation, member by member', async () => {
    expect(await complaint({})).to.equal(undefined);
  });

  for (const [what, told] of Object.entries(wrong)) {
    it(`fails for a difference: ${what}`, async () => {
      expect(await complaint(told)).to.be.a('string');
    });
  }

  it('fails when a write has not changed the version', async () => {
    expect(await complaint({}, {})).to.contain('is the same as version ada.1');
  });
});
