import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { contractVersion, contractVersions } from '../../../src/adapters/contracts/versions.ts';
import { publishedPaths } from '../../support/contract.ts';
import { startService, type TestService } from '../../support/service.ts';
import {
  freeze,
  frozenFolder,
  frozenNames,
  frozenVersions,
  minorOf,
  printSums,
  readSums,
  writeVersion,
} from './frozen.ts';
import { readPublished, readRecorded, recordedNames } from './recorded.ts';

const current = minorOf(contractVersion);

describe('The frozen contracts', () => {
  it('have not changed since they were recorded', () => {
    expect(printSums()).to.equal(readSums());
  });

  it('are all minor versions that clients can name, except the current one', () => {
    expect(contractVersions).to.deep.equal([...frozenVersions(), current]);
  });

  it('are all versions of the history in docs/compatibility.md since the first of them', () => {
    const [, history = ''] = readFileSync('docs/compatibility.md', 'utf8').split('## History');
    const listed = Array.from(history.matchAll(/^\| (\d+\.\d+) \|/gm), ([, version = '']) => version);
    expect(listed.slice(listed.indexOf('1.12'))).to.deep.equal(contractVersions);
  });

  it('have the documents that the current version publishes at its own paths', () => {
    const own = `/schemas/${current}/`;
    const published = publishedPaths.flatMap((path) =>
      path.startsWith(own) ? [path.slice(own.length)] : [],
    );
    expect([...frozenNames(recordedNames)].sort()).to.deep.equal(published.sort());
  });
});

describe('Freezing a version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-contracts-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('copies the recorded documents as the service publishes them, and never overwrites them', async () => {
    freeze('1.98', { ...(await readPublished()) }, folder);
    freeze('1.99', { ...readRecorded() }, folder);
    expect(frozenVersions(folder)).to.deep.equal(['1.98', '1.99']);
    expect(readdirSync(join(folder, '1.99')).sort()).to.deep.equal([...frozenNames(recordedNames)].sort());
    expect(printSums(folder)).to.equal(readSums(folder));
    const service = await startService();
    try {
      for (const name of readdirSync(join(folder, '1.98'))) {
        const { text } = await service.send(`/schemas/${current}/${name}`, { anonymous: true });
        expect(readFileSync(join(folder, '1.98', name), 'utf8') === text, name).to.equal(true);
      }
    } finally {
      await service.close();
    }
    freeze('1.99', { 'openapi.yaml': 'openapi: 3.1.1', 'user.xsd': '' }, folder);
    expect(printSums(folder)).to.equal(readSums(folder));
    expect(() => writeVersion(folder, '1.99', { 'user.xsd': '' })).to.throw('never change');
    writeFileSync(join(folder, '1.99', 'user.xsd'), '');
    expect(printSums(folder)).not.to.equal(readSums(folder));
  });
});

describe('The documents of each minor version', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ basePath: '/v1', publicUrl: 'https://directory.example/v1' });
  });
  after(() => service.close());

  const read = (path: string) => service.send(`/v1${path}`, { anonymous: true });

  it('are served byte for byte, for any cache, at any address of the service', async () => {
    for (const version of frozenVersions()) {
      for (const name of readdirSync(join(frozenFolder, version))) {
        const { status, headers, text } = await read(`/schemas/${version}/${name}`);
        expect([status, headers.get('cache-control')], name).to.deep.equal([
          200,
          'public, max-age=31536000, immutable',
        ]);
        const file = readFileSync(join(frozenFolder, version, name), 'utf8');
        expect(text === file, `${version}/${name}`).to.equal(true);
        const now = await read(`/schemas/${current}/${name}`);
        expect(headers.get('content-type')).to.equal(now.headers.get('content-type'));
      }
    }
  });

  it('are the current documents for the current version, which may still change', async () => {
    for (const [name, usual] of [
      ['user.xsd', '/schemas/user.xsd'],
      ['openapi.json', '/openapi.json'],
    ] as const) {
      const { status, headers, text } = await read(`/schemas/${current}/${name}`);
      expect([status, headers.get('cache-control')]).to.deep.equal([200, 'public, max-age=3600']);
      expect(text).to.equal((await read(usual)).text);
    }
  });

  it('are not found for unknown versions and names', async () => {
    for (const path of ['1.11/user.xsd', '1.99/user.xsd', '1.12/users.xsd', '1.12/SHA256SUMS', '1.12/..%2Fx'])
      expect((await read(`/schemas/${path}`)).status, path).to.equal(404);
  });
});
