import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { receiversFile } from '../support/receivers-file.ts';
import { needed, outputOf } from './tools.ts';

const rules = 'ops/prometheus/alerts.yml';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(readFileSync('ops/grafana/users.json', 'utf8'));

/** As Grafana asks, of all instances, over a time in which a few were scraped. */
const asked = (expression: string): string =>
  expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '10s').replaceAll('[1h]', '[10s]');

/** Those of other programs have no namespace of ours. */
const metricNames = (text: string): Set<string> =>
  new Set(text.match(/\b(?:users|http_server|nodejs|process)_\w+/g));

describe('The alert rules', () => {
  for (const [what, command] of [
    ['rules', ['check', 'rules', rules]],
    ['example of what to scrape', ['check', 'config', '--syntax-only', 'ops/prometheus/scrape.yml']],
    [
      'tests of theirs: each fires where it should, and none where all is well',
      ['test', 'rules', 'ops/prometheus/alerts.test.yml'],
    ],
  ] as const)
    it(`pass with promtool: the ${what}`, async function () {
      const { out, err } = await outputOf(needed(this, 'promtool'), command);
      expect(out + err)
        .to.contain('SUCCESS')
        .and.not.to.contain('FAILED');
    });
});

/** The credentials of an API key, and the means to put its file out of use. */
async function withKey() {
  const folder = aDataFolder();
  const file = join(folder, 'keys.json');
  const { log } = await run(
    ['api-key', '--id', 'watched', '--scope', 'users:read users:write changes:read'],
    folder,
    {
      USERS_API_KEYS_FILE: file,
    },
  );
  const authorization = `Basic ${Buffer.from(log[0] ?? '').toString('base64')}`;
  return { file, authorization };
}

describeMongo('The dashboard, over services on SQLite and MongoDB,', () => {
  let prometheus: Prometheus | undefined;
  let database: TestDatabase | undefined;
  let isOver = false;
  let load: Promise<unknown> = Promise.resolve();

  before(async function () {
    const program = needed(this, 'prometheus');
    database = await aDatabase();
    const { file, authorization } = await withKey();
    const ports = [String(await aFreePort()), String(await aFreePort())];
    const ofBoth = { USERS_API_KEYS_FILE: file, USERS_WEBHOOKS_FILE: receiversFile(aDataFolder()) };
    const [first = '', second = ''] = ports;
    const services = [
      await startProcess({ env: { ...ofBoth, USERS_WORKERS: '2', USERS_METRICS_PORT: first } }),
      await startProcess({
        env: {
          ...ofBoth,
          USERS_STORE: 'mongodb',
          USERS_MONGODB_URI: database.uri,
          USERS_METRICS_PORT: second,
        },
      }),
    ];
    load = Promise.all(services.map((service) => keepAsking(service, authorization)));
    // The last good keys go on being taken, and the failure is counted.
    chmodSync(file, 0o644);
    prometheus = await startPrometheus(program, {
      targets: ports.map((port) => `127.0.0.1:${port}`),
      rules,
    });
  });
  after(async () => {
    isOver = true;
    await load;
    await prometheus?.stop();
    await discardProcesses();
    await database?.drop();
  });

  /** Writes, reads and refused requests in both formats. */
  async function keepAsking({ url }: Process, authorization: string): Promise<void> {
    for (let at = 0; !isOver; at += 1) {
      const headers = { authorization, 'content-type': 'application/json', connection: 'close' };
      const body = JSON.stringify({ userName: `person-${at}` });
      const made = await fetch(`${url}/users`, { method: 'POST', headers, body });
      const location = made.headers.get('location') ?? '/users';
      for (const accept of ['application/json', 'application/xml'])
        await (await fetch(url + location, { headers: { ...headers, accept } })).arrayBuffer();
      await (await fetch(`${url}/users`, { headers: { connection: 'close' } })).arrayBuffer();
      await (await fetch(`${url}/changes?since=start&limit=1`, { headers })).arrayBuffer();
    }
  }

  for (const { title, targets = [] } of panels)
    for (const { expr } of targets)
      it(`shows data in “${title}”: ${expr.slice(0, 60)}…`, async () => {
        for (;;) {
          const values = (await prometheus?.query(asked(expr))) ?? [];
          if (values.some((value) => !Number.isNaN(value))) return;
        }
      });

  it('uses only existing metrics, as the alerts do', async () => {
    const told = metricNames(
      [
        readFileSync(rules, 'utf8'),
        ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ].join('\n'),
    );
    expect(told.size).to.be.greaterThan(15);
    for (const name of told) expect(await prometheus?.query(name), name).not.to.deep.equal([]);
  });
});
