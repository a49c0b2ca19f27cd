import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { aFolder } from '../adapters/stores/sqlite/a-file.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { openSqliteStore } from '../support/stores.ts';
import { insertAll } from './directories.ts';

const count = 2000;
const MiB = 1024 * 1024;
const idOf = (at: number): string => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
/** 15 KB of each user, so that a page of a thousand has 15 MB. */
const attributes = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`a${at}`, 'x'.repeat(1000)]));

async function fill(folder: string): Promise<void> {
  const onFatal = (cause: unknown) => expect.fail(String(cause));
  const store = await openSqliteStore({ file: join(folder, 'data', 'users.db'), onFatal });
  const users = Array.from({ length: count }, (_, at) => aUser({ id: idOf(at), attributes }));
  await insertAll(store, users);
  await store.close();
}

/** The most memory the process ever had, in MiB, as the kernel counts it. */
function peak({ pid }: Process): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MiB;
}

/** Counts the ends of responses, in order, and keeps nothing else. */
function marksIn(socket: Socket, mark: RegExp, enough: number): Promise<string[]> {
  const marks: string[] = [];
  let rest = '';
  return new Promise((resolve) => {
    socket.setEncoding('latin1').on('data', (piece: string) => {
      const text = rest + piece;
      let end = 0;
      for (const found of text.matchAll(mark)) {
        marks.push(found[0]);
        end = found.index + found[0].length;
      }
      rest = text.slice(Math.max(end, text.length - 100));
      if (marks.length >= enough) resolve(marks);
    });
    socket.once('close', () => resolve(marks));
  });
}

describe('Responses that clients do not read', () => {
  let service: Process;
  let token: string;
  let sockets: Socket[];
  const folder = aFolder();
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    await fill(folder.path);
  });
  beforeEach(async () => {
    sockets = [];
    // A young generation of the same size on every Node: by default, that of Node 24 is twice as large as that of 20.
    const heap = '--max-old-space-size=256 --max-semi-space-size=16';
    const env = { NODE_OPTIONS: heap, USERS_LOG_LEVEL: 'error' };
    service = await startProcess({ folder: folder.path, env });
    token = await service.token();
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await discardProcesses();
  });
  after(folder.remove);

  const requestFor = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

  function ask(text: string): Socket {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(text);
    sockets.push(socket);
    return socket;
  }

  /** Another client, which reads its responses. */
  async function readAnother(rounds: number): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    for (let round = 0; round < rounds; round += 1) {
      const id = idOf((round * 7919) % count);
      const answer = await fetch(`${service.url}/users/${id}`, { headers });
      expect([answer.status, ((await answer.json()) as { id: string }).id]).to.deep.equal([200, id]);
      const live = await fetch(`${service.url}/health/live`);
      expect(live.status).to.equal(204);
    }
  }

  const list = '/users?limit=1000';
  const shapes: Readonly<Record<string, () => void>> = {
    '30 pages asked for at once on each of 30 connections': () => {
      for (let at = 0; at < 30; at += 1) ask(requestFor(list).repeat(30));
    },
    'a page on each of 900 connections': () => {
      for (let at = 0; at < 900; at += 1) ask(requestFor(list));
    },
    'the whole list on each of 200 connections': () => {
      for (let at = 0; at < 200; at += 1) ask(requestFor('/users'));
    },
    'the whole list, in gzip, on each of 100 connections': () => {
      for (let at = 0; at < 100; at += 1) ask(requestFor('/users', 'Accept-Encoding: gzip\r\n'));
    },
    'pages in XML, 30 at once on each of 50 connections': () => {
      for (let at = 0; at < 50; at += 1) ask(requestFor(list, 'Accept: application/xml\r\n').repeat(30));
    },
    'users of 15 KB, 30 at once on each of 1,000 connections': () => {
      for (let at = 0; at < 1000; at += 1) ask(requestFor(`/users/${idOf(at % 100)}`).repeat(30));
    },
    '30 requests without credentials at once on each of 1,000 connections': () => {
      for (let at = 0; at < 1000; at += 1) ask('GET /users HTTP/1.1\r\nHost:\r\n\r\n'.repeat(30));
    },
  };
  for (const [shape, attack] of Object.entries(shapes)) {
    it(`(${shape}) take no more than 300 MiB, and other clients are served`, async () => {
      await readAnother(10);
      const before = peak(service);
      attack();
      for (const socket of sockets) socket.pause();
      await readAnother(200);
      expect(peak(service) - before, 'MiB more than before').to.be.below(300);
      for (const socket of sockets) socket.destroy();
      // Once they have gone, so has all that was held for them.
      await until('the whole list is given again', async () => {
        const answer = await fetch(`${service.url}/users`, { headers: { authorization: `Bearer ${token}` } });
        await answer.body?.pipeTo(new WritableStream());
        expect(answer.status).to.be.oneOf([200, 503]);
        return answer.status === 200;
      });
      expect((await service.stop()).code).to.equal(0);
    });
  }

  it('do not harm clients that read: 30 pages and users, requested at once, arrive complete and in order', async () => {
    const pairs = 15;
    const client = ask((requestFor(list) + requestFor(`/users/${idOf(0)}`)).repeat(pairs));
    const marks = await marksIn(
      client,
      /\]\}\r\n0\r\n\r\n|HTTP\/1\.1 200 OK|Content-Length: 15\d{3}/g,
      pairs * 4,
    );
    const pair = ['HTTP/1.1 200 OK', ']}\r\n0\r\n\r\n', 'HTTP/1.1 200 OK'];
    expect(marks.map((mark) => mark.replace(/: .*/, ''))).to.deep.equal(
      Array.from({ length: pairs }, () => [...pair, 'Content-Length']).flat(),
    );
  });
});
