import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { pino } from 'pino';
import { faultLog } from '../../../src/adapters/http/pipeline/error-handler.ts';
import type { Authenticator } from '../../../src/domain/ports.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { type CountingClock, countWork } from '../../support/scheduler-clock.ts';
import { noOverload, ofSharedSecret, startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';

type Line = Readonly<Record<string, unknown>> & { level: number; err?: { stack: string } };

describe('A fault that affects many requests', () => {
  let service: TestService;
  let clock: CountingClock;
  beforeEach(() => {
    clock = countWork(0.25);
  });
  afterEach(async () => {
    await service.close();
    clock.restore();
  });

  /** The lines above `info`, after that many requests have failed so. */
  async function linesAfter(count: number, status: number): Promise<Line[]> {
    for (let at = 0; at < count; at += 1) {
      const answer = await service.send('/users');
      expect(answer.status).to.equal(status);
    }
    const lines = service.log.map((line): Line => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(count);
    return lines.filter(({ level }) => level > 30);
  }

  function storeThatThrows(error: () => Error): UserStore {
    const store = memoryStore();
    store.list = async () => {
      throw error();
    };
    return store;
  }
  const authenticatorThatThrows = (error: () => Error): Authenticator => ({
    ...ofSharedSecret(),
    authenticate: () => {
      throw error();
    },
  });

  it('is logged in one line without a stack when load is shed', async () => {
    const store = memoryStore();
    let letGo: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      store.list = () => {
        resolve();
        return new Promise((go) => {
          letGo = () => go([]);
        });
      };
    });
    service = await startService({ overload: { ...noOverload, requests: 1 } }, store);
    const working = service.send('/users');
    await begun;
    const [line, ...more] = await linesAfter(200, 503);
    letGo();
    expect((await working).status).to.equal(200);
    expect(more).to.deep.equal([]);
    expect(line).to.include({ level: 40, problem: 'overloaded', count: 1 }).and.not.have.property('err');
  });

  it('is logged in one line with its reason, without a stack, when keys are out of reach', async () => {
    const error = () =>
      new DomainError('unavailable', 'The keys are out of reach.', { cause: new Error('no route') });
    service = await startService({}, undefined, [authenticatorThatThrows(error)]);
    const [line, ...more] = await linesAfter(200, 503);
    expect(more).to.deep.equal([]);
    expect(line).to.include({ level: 50, problem: 'unavailable', count: 1 }).and.not.have.property('err');
    expect(line?.reasons).to.deep.equal(['The keys are out of reach.', 'no route']);
  });

  it('is logged in one line with its reason, without a stack, when the store is out of reach', async () => {
    const error = () => new DomainError('unavailable', 'The store is away.');
    service = await startService({}, storeThatThrows(error));
    const lines = await linesAfter(100, 503);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.have.property('reasons').that.deep.equals(['The store is away.']);
  });

  it('is logged with its stack, once for each different bug', async () => {
    let at = 0;
    const error = () => new TypeError(`number ${(at++ % 3) + 1}`);
    service = await startService({}, storeThatThrows(error));
    const lines = await linesAfter(99, 500);
    expect(lines.map(({ count }) => count)).to.deep.equal([1, 1, 1]);
    for (const { err } of lines) expect(err?.stack).to.match(/TypeError: number [123]\n +at /);
  });

  it('is logged in a few lines when each request fails differently', async () => {
    let at = 0;
    service = await startService(
      {},
      storeThatThrows(() => new Error(`number ${at++}`)),
    );
    expect(await linesAfter(300, 500)).to.have.length.below(60);
  });
});

describe('The log of faults', () => {
  it('repeats at intervals how often each fault has occurred since', async () => {
    const lines: Line[] = [];
    const written = new EventEmitter();
    const log = pino(
      {},
      {
        write: (line: string) => {
          lines.push(JSON.parse(line));
          written.emit('line');
        },
      },
    );
    const report = faultLog(log, 50);
    const away = new DomainError('unavailable', 'away');
    for (let at = 0; at < 100; at += 1) report(away, `id-${at}`);
    expect(lines.map(({ count, id }) => [count, id])).to.deep.equal([[1, 'id-0']]);
    await once(written, 'line');
    expect(lines.slice(1).map(({ count, id }) => [count, id])).to.deep.equal([[99, 'id-99']]);
    report(away, 'again');
    await once(written, 'line');
    expect(lines.slice(2).map(({ count, id }) => [count, id])).to.deep.equal([[1, 'again']]);
  });
});
