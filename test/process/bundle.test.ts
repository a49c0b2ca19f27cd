import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, program, run, startProcess } from '../support/process.ts';
import { some } from '../support/runs.ts';

interface Bill {
  readonly components: readonly {
    readonly purl: string;
    readonly licenses: readonly { readonly license?: { readonly id?: string } }[];
  }[];
}

interface SourceMap {
  readonly sources: readonly string[];
}

const clients = [
  { type: 'application/json', body: '{"userName":"ada"}' },
  {
    type: 'application/xml; charset=windows-1252',
    body: '<user xmlns="urn:user-management:1"><userName>grace</userName></user>',
  },
];

describe('The bundle', () => {
  afterEach(discardProcesses);

  for (const workers of some(['1', '2']))
    it(`serves each format to the token of the printed command (workers: ${workers})`, async () => {
      const service = await startProcess({ env: { USERS_WORKERS: workers } });
      const made = await run(['token', '--scope', 'users:write'], service.folder);
      const authorization = `Bearer ${made.log.join('')}`;
      for (const { type, body } of clients) {
        const headers = { authorization, 'content-type': type, accept: type.replace(/;.*/, '') };
        const created = await fetch(`${service.url}/users`, { method: 'POST', headers, body });
        expect(created.status).to.equal(201);
        const read = await fetch(service.url + created.headers.get('location'), { headers });
        expect(await read.text()).to.equal(await created.text());
      }
      expect((await service.stop()).code).to.equal(0);
    });

  it('comes with the licences of the packages that it contains', () => {
    const licenses = readFileSync(join(dirname(program), 'licenses.txt'), 'utf8');
    for (const name of ['koa', '@koa/router', 'fast-xml-parser', '@opentelemetry/api', 'preact']) {
      const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      expect(licenses).to.include(`${name} ${version} (${license})\n\n`);
      expect(licenses).to.include(readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim());
    }
    expect(licenses, 'npm installs it').not.to.match(/^mongodb \d/m);
  });

  it('comes with a bill of materials that CycloneDX accepts and that names each package in its source maps', async () => {
    const folder = dirname(program);
    const text = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).to.equal(null);
    const bill: Bill = JSON.parse(text);
    expect(bill).not.to.have.any.keys('serialNumber', 'timestamp');
    const listed = bill.components.map(({ purl }) => decodeURIComponent(purl));
    expect(new Set(listed).size).to.equal(listed.length);
    const mapped = new Set(
      readdirSync(folder)
        .filter((file) => file.endsWith('.js.map'))
        .flatMap((file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as SourceMap).sources)
        .flatMap((source) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [])
        // Packages have maps of their own, whose sources aren't published.
        .filter((path) => existsSync(join(path, 'package.json'))),
    );
    expect(mapped.size).to.be.above(100);
    // The files for browsers have no maps.
    for (const name of ['preact', 'oauth4webapi', 'swagger-ui-dist']) mapped.add(`node_modules/${name}`);
    for (const path of mapped) {
      const { name, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
      expect(listed).to.include(`pkg:npm/${name}@${version}`);
    }
    const licensed = readFileSync(join(folder, 'licenses.txt'), 'utf8').matchAll(
      /(?:^|-{80}\n\n)(\S+) (\S+) \(/g,
    );
    const named = [...licensed].map(([, name, version]) => `pkg:npm/${name}@${version}`);
    expect(new Set(named)).to.deep.equal(new Set(listed));
    // SECURITY.md names them.
    const permissive = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0'];
    for (const { purl, licenses } of bill.components) {
      expect(licenses, purl).to.have.lengthOf(1);
      expect(permissive, purl).to.include(licenses[0]?.license?.id);
    }
    expect(listed.filter((purl) => /[/](?:mongodb|esbuild|mocha)@/.test(purl))).to.deep.equal([]);
  });

  it('creates API keys, backs up and restores', async () => {
    const folder = aDataFolder();
    const service = await startProcess({ folder });
    await service.stop();
    const env = { USERS_API_KEYS_FILE: 'keys.json' };
    for (const [command, lines] of [
      [['api-key', '--id', 'x', '--scope', 'users:read'], 2],
      [['backup', 'b.db'], 1],
      [['restore', 'b.db'], 1],
    ] as const) {
      const { code, log } = await run(command, folder, env);
      expect([code, log.length]).to.deep.equal([0, lines]);
    }
  });
});
