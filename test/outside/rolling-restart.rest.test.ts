import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { type RunningProxy, startProxy } from '../support/caches.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { nginx } from './setups.ts';
import { needed } from './tools.ts';

const page = readFileSync('docs/operate/proxy.md', 'utf8');
const [, upstream = ''] = /```nginx\n(upstream [\s\S]*?)```/.exec(page) ?? [];
const [, pass = ''] = /`(proxy_pass http:\/\/directory;)`/.exec(page) ?? [];

const clients = 16;

/** A client's connection to the proxy stays open, as those of most clients do. */
const agent = new Agent({ keepAlive: true, maxSockets: clients });

function send(url: string, authorization: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json' };
    request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer
        .resume()
        .once('end', () => resolve(answer.statusCode ?? 0))
        .once('error', reject);
    })
      .once('error', reject)
      .end(body);
  });
}

/** @returns each kind of answer to requests that go on until `during` has ended, such as `POST 201` */
async function answersDuring(url: string, token: string, during: Promise<unknown>): Promise<string[]> {
  const answers = new Set<string>();
  let ends = false;
  const work = async (client: number): Promise<void> => {
    for (let count = 0; !ends; count += 1) {
      const body = JSON.stringify({ userName: `user-${client}-${count}` });
      answers.add(`POST ${await send(`${url}/users`, token, body)}`);
      answers.add(`GET ${await send(`${url}/users?limit=1`, token)}`);
    }
  };
  const load = Array.from({ length: clients }, (_, client) => work(client));
  await during;
  ends = true;
  await Promise.all(load);
  return [...answers].sort();
}

describeMongo('Behind nginx by the lines of the handbook, two services on MongoDB', () => {
  let database: TestDatabase;
  let proxy: RunningProxy;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(async () => {
    agent.destroy();
    await proxy?.stop();
    await discardProcesses();
    await database.drop();
  });

  const start = (port: number, workers: string): Promise<Process> =>
    startProcess({
      env: {
        USERS_STORE: 'mongodb',
        USERS_MONGODB_URI: database.uri,
        USERS_PORT: String(port),
        USERS_WORKERS: workers,
        USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
        USERS_JWT_ISSUER: 'https://issuer.example',
        USERS_JWT_AUDIENCE: 'https://directory.example',
      },
    });

  const setup = (first: number, second: number) => {
    const lines = upstream.replace('3000', String(first)).replace('3001', String(second));
    const http = 'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off;';
    return nginx(
      ({ port }) => `${lines} server { listen 127.0.0.1:${port}; location / { ${pass} ${http} } }`,
    );
  };

  for (const workers of ['1', '2'])
    it(`restart one after the other under load, and no client sees an error (workers: ${workers})`, async function () {
      const program = needed(this, 'nginx');
      const [first, second] = [await aFreePort(), await aFreePort()];
      const services = [await start(first, workers), await start(second, workers)] as const;
      proxy = await startProxy(setup(first, second), program, services[0].url);
      const restartBoth = async () => {
        expect(await services[0].stop()).to.include({ code: 0 });
        await start(first, workers);
        expect(await services[1].stop()).to.include({ code: 0 });
        await start(second, workers);
      };
      const token = `Bearer ${await services[0].token()}`;
      expect(await answersDuring(proxy.url, token, restartBoth())).to.deep.equal(['GET 200', 'POST 201']);
    });
});
