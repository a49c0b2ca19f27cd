/** Writers that record confirmed writes: the state of each user that must exist after the process is killed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';

/** A client's record of one user. Undefined: the user does not exist. */
interface Known {
  /** The last state that was answered for. */
  promised: User | undefined;
  /** A write that was sent and not answered. */
  sent?: { readonly title: string | undefined };
}

export type Ledger = Map<string, Known>;

export type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; user: User | undefined }>;

/** Rejects when the connection breaks, also in the middle of an answer. */
export const sender =
  (url: string, token: string): Send =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url + path, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, user: answer.ok && text !== '' ? JSON.parse(text) : undefined };
  };

/** Of each user's life: made, changed, and removed again of every other one. */
async function writeOne(send: Send, ledger: Ledger, answered: () => void): Promise<void> {
  const id = randomUUID();
  const known: Known = { promised: undefined };
  ledger.set(id, known);
  const step = async (method: string, path: string, title: string | undefined, expected: number) => {
    known.sent = { title };
    const body = {
      id,
      userName: `user-${id}`,
      title,
      roles: ['writer'],
      emails: [{ value: `${id}@example.org` }],
    };
    const { status, user } = await send(method, path, title === undefined ? undefined : body);
    expect(status).to.equal(expected);
    known.promised = user;
    delete known.sent;
    answered();
  };
  await step('POST', '/users', 'new', 201);
  await step('PUT', `/users/${id}`, 'changed', 200);
  if (id < '8') await step('DELETE', `/users/${id}`, undefined, 204);
}

/** Writes until the connections break, or it is enough. Anything else that goes wrong is thrown. */
export async function write(
  send: Send,
  ledger: Ledger,
  answered: () => void,
  enough = () => false,
): Promise<void> {
  while (!enough()) {
    try {
      await writeOne(send, ledger, answered);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Compares the stored users with the records, and updates the records. */
export function settle(ledger: Ledger, there: ReadonlyMap<string, User>): void {
  for (const id of there.keys()) expect(ledger.has(id), `${id}, which nobody wrote`).to.equal(true);
  for (const [id, known] of ledger) {
    const found = there.get(id);
    const { promised, sent } = known;
    if (sent === undefined || found?.meta.version === promised?.meta.version)
      expect(found).to.deep.equal(promised);
    else expectAsSent(id, found, sent.title);
    ledger.set(id, { promised: found });
  }
}

function expectAsSent(id: string, found: User | undefined, title: string | undefined): void {
  const { meta, ...rest } = found ?? {};
  const whole = {
    id,
    userName: `user-${id}`,
    title,
    active: true,
    roles: ['writer'],
    emails: [{ value: `${id}@example.org` }],
  };
  expect(rest).to.deep.equal(title === undefined ? {} : whole);
  if (title !== undefined) expect(meta).to.have.all.keys('created', 'lastModified', 'version');
}
