import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeWhere } from '../support/left-out.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';
import { onAllStores } from '../support/runs.ts';

/** Debian's libfaketime: the clock of a process follows a file. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);
const describeClock = describeWhere(library !== undefined, 'faketime');

const hour = 3600;

describeClock('While the clock is set back and forth,', () => {
  let folder: string;
  let clock: string;
  let service: Process;
  let path: string;

  /** By how many seconds the service's clock differs from ours from now on. */
  const set = (seconds: number): void => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  const start = () =>
    startProcess({
      folder,
      env: {
        LD_PRELOAD: library ?? '',
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
  async function send(method: string, more: Record<string, string> = {}, body?: unknown, at = path) {
    const headers = {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/json',
      ...more,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(service.url + at, { method, headers, ...sent });
  }
  const put = (title: string, more: Record<string, string> = {}) =>
    send('PUT', more, { userName: 'clock', title });
  const dateOf = async () => (await send('GET')).headers.get('last-modified') ?? '';
  const lastModified = async (answer: Response): Promise<number> => {
    const { meta } = (await answer.json()) as { meta: { lastModified: string } };
    return Date.parse(meta.lastModified);
  };

  beforeEach(async () => {
    folder = aDataFolder();
    clock = join(folder, 'clock');
    set(0);
    service = await start();
    const made = await send('POST', {}, { userName: 'clock', title: 'first' }, '/users');
    path = made.headers.get('location') ?? '';
  });
  afterEach(discardProcesses);

  /** The state named by `date` has gone: no date of it may pass for the state that is there. */
  async function expectChanged(date: string): Promise<void> {
    const read = await send('GET', { 'if-modified-since': date });
    expect([read.status, date]).to.deep.equal([200, date]);
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { userName: 'clock', title: 'overwritten' } : undefined;
      expect((await send(method, { 'if-unmodified-since': date }, body)).status, method).to.equal(412);
    }
  }

  const setBack = [
    ['one second and a half', 1.5, false],
    ['two seconds', 2, true],
    ['an hour', hour, true],
  ] as const;
  const others = setBack.map(([what, back, restarted]) => [what, back, !restarted] as const);
  for (const [what, back, restarted] of onAllStores ? [...setBack, ...others] : setBack) {
    it(`by ${what}, ${restarted ? 'and a restart, ' : ''}an earlier date neither gives 304 nor lets a change overwrite`, async () => {
      set(2);
      const date = await dateOf();
      expect((await send('GET', { 'if-modified-since': date })).status).to.equal(304);
      set(2 - back);
      if (restarted) {
        await service.stop();
        service = await start();
      }
      for (const title of ['second', 'third', 'fourth']) {
        expect((await put(title)).status).to.equal(200);
        await expectChanged(date);
        set(10);
        await expectChanged(date);
        set(2 - back);
      }
    });
  }

  it('every change increases lastModified, and conditions by date work again when the clock is right', async () => {
    let before = await lastModified(await send('GET'));
    for (const seconds of [-hour, -hour, -2 * hour, 0, -1]) {
      set(seconds);
      const now = await lastModified(await put(`at ${seconds}`));
      expect(now).to.be.greaterThan(before);
      before = now;
    }
    set(70);
    const date = await dateOf();
    expect((await send('GET', { 'if-modified-since': date })).status).to.equal(304);
    expect((await put('by date', { 'if-unmodified-since': date })).status).to.equal(200);
  });

  it('rapid changes keep lastModified at the clock, and conditions by date work within a minute', async () => {
    let answer = await put('0');
    for (let at = 1; at < 100; at += 1) answer = await put(String(at));
    const ahead = (await lastModified(answer)) - Date.now();
    expect(ahead).to.be.lessThan(1000);
    set(62);
    expect((await put('by date', { 'if-unmodified-since': await dateOf() })).status).to.equal(200);
  });
});
