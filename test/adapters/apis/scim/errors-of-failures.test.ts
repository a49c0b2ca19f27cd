import { expect } from 'chai';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/stores.ts';
import { aUser, bulk, client, create, expectError, nobody, rename } from './scim-client.ts';

describe('An error of the SCIM API when something fails', () => {
  let service: TestService;
  afterEach(() => service.close());

  it('is 503 with Retry-After under overload, even for discovery', async () => {
    const store = memoryStore();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      store.find = async () => {
        resolve();
        await held;
        return undefined;
      };
    });
    service = await startService({ overload: { requests: 1 } }, store);
    const ask = client(service);
    const working = ask(`/Users/${nobody}`);
    await begun;
    for (const path of ['/Users', '/Nothing', '/Schemas', '']) {
      const answer = await ask(path);
      expectError(answer, 503);
      expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
    }
    letGo();
    expectError(await working, 404);
  });

  it('is 403 when an access profile refuses a request, with the attributes at fault', async () => {
    const store = memoryStore();
    store.find = async () => {
      const violations = ['/title', '/enterprise/department'].map((pointer) => ({
        pointer,
        detail: 'hidden',
      }));
      throw new DomainError('attribute-hidden', 'The profile hides members.', { violations });
    };
    service = await startService({}, store);
    const body = { userName: 'ada' };
    const answer = await client(service)(`/Users/${nobody}`, { method: 'PUT', body });
    expectError(answer, 403);
    expect(answer.json()).to.include({
      detail: 'title hidden; urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department hidden.',
    });
  });

  /** A store that does what it is asked for, and then doesn't say so. */
  function aFickleStore(code: 'outcome-unknown' | 'unavailable' | undefined) {
    const store = memoryStore();
    const fail = (): never => {
      throw code === undefined ? new Error('the secret') : new DomainError(code, 'the secret');
    };
    const { insert, replace, remove } = store;
    let isFickle = false;
    const makeFickle =
      <A extends unknown[], T>(write: (...given: A) => Promise<T>) =>
      async (...given: A): Promise<T> => {
        const done = await write.apply(store, given);
        return isFickle ? fail() : done;
      };
    store.insert = makeFickle(insert);
    store.replace = makeFickle(replace);
    store.remove = makeFickle(remove);
    const turn = () => {
      isFickle = true;
    };
    return { store, turn };
  }

  for (const [code, status] of [
    ['outcome-unknown', 504],
    ['unavailable', 503],
    [undefined, 500],
  ] as const) {
    it(`is ${status} when the store fails (${code ?? 'a fault'}), also in a Bulk, and does not reveal the reason`, async () => {
      const { store, turn } = aFickleStore(code);
      service = await startService({}, store);
      const ask = client(service);
      const users = await Promise.all(Array.from({ length: 6 }, () => create(ask)));
      turn();
      const [put, patch, remove, ...ofBulk] = users.map(({ id }) => `/Users/${id}`);
      const answers = [
        await ask('/Users', { method: 'POST', body: aUser() }),
        await ask(put ?? '', { method: 'PUT', body: aUser() }),
        await ask(patch ?? '', { method: 'PATCH', body: rename }),
        await ask(remove ?? '', { method: 'DELETE' }),
      ];
      for (const answer of answers) {
        expect(expectError(answer, status)).not.to.include('secret');
        expect(answer.headers.has('retry-after')).to.equal(status === 503);
      }
      const outcomes = await bulk(ask, [
        { method: 'POST', path: '/Users', bulkId: 'x', data: aUser() },
        { method: 'PUT', path: ofBulk[0], data: aUser() },
        { method: 'PATCH', path: ofBulk[1], data: rename },
        { method: 'DELETE', path: ofBulk[2] },
      ]);
      for (const { status: told, response } of outcomes) {
        expect([told, response?.status]).to.deep.equal([String(status), String(status)]);
        expect(response?.detail).not.to.include('secret');
      }
      // Each of them has a line, for the operator.
      expect(service.log.filter((line) => line.includes('the secret')).length).to.be.at.least(1);
    });
  }
});
