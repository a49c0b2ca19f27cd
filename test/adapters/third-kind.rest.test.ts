import { join } from 'node:path';
import { expect } from 'chai';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { codecOf } from '../../src/commands/file-options.ts';
import { exportResources } from '../../src/commands/files/export-resources.ts';
import { takeResources } from '../../src/commands/files/take-resources.ts';
import { openTarget } from '../../src/commands/files/target.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { Store } from '../../src/domain/store.ts';
import { anyKindCases, sampleOf } from '../contract/any-kind.ts';
import { devicesApi, kindsOf } from '../support/devices.ts';
import { onAllStores } from '../support/runs.ts';
import { aToken, settingsOf, startService, type TestService } from '../support/service.ts';
import { tester } from '../support/store-verbs.ts';
import { aFolder } from './stores/sqlite/a-file.ts';

const kinds = kindsOf();
const stores: Readonly<Record<string, () => Promise<{ store: Store; discard: () => Promise<void> }>>> = {
  async memory() {
    const store = memoryStore(kinds);
    return { store, discard: () => store.close() };
  },
  async SQLite() {
    const folder = aFolder();
    const onFatal = (cause: unknown): never => {
      throw cause;
    };
    const store = await openSqliteStore({ file: join(folder.path, 'users.db'), kinds, onFatal });
    const discard = async (): Promise<void> => {
      await store.close();
      folder.remove();
    };
    return { store, discard };
  },
};

describe('A third kind of resource', () => {
  for (const [name, open] of Object.entries(stores))
    for (const kind of name === 'memory' || onAllStores ? kinds.all : [kinds.of('device')])
      describe(`in the ${name} store, beside it: ${kind.plural}`, () =>
        anyKindCases(kind, open, kind.name === 'user' ? { active: true } : {}));

  for (const [name, open] of Object.entries(stores))
    describe(`over HTTP, from the ${name} store,`, () => {
      let service: TestService;
      let authorization: string;
      let discard: () => Promise<void>;
      before(async () => {
        authorization = `Bearer ${await aToken(['devices:write', 'devices:delete'])}`;
      });
      beforeEach(async () => {
        const opened = await open();
        discard = opened.discard;
        const api = devicesApi(opened.store, kinds, settingsOf({}));
        service = await startService({}, opened.store, undefined, [api]);
      });
      afterEach(async () => {
        await service.close();
        await discard();
      });
      const send = (method: string, path: string, accept: string, body?: string) =>
        service.send(path, {
          method,
          headers: { authorization, accept, ...(body !== undefined && { 'content-type': accept }) },
          ...(body !== undefined && { body }),
        });
      const [json, xml] = ['application/json', 'application/xml'];

      it('is created, read, changed and removed in JSON and XML', async () => {
        const made = await send('POST', '/devices', json, '{"serial":"SN-7","label":"Gate","site":"north"}');
        expect(made.status, made.text).to.equal(201);
        const path = made.headers.get('location') ?? '';
        const read = await send('GET', path, xml);
        expect(read.text).to.include('<device ').and.include('<serial>SN-7</serial><label>Gate</label>');
        const replaced = await send('PUT', path, xml, '<device><serial>SN-8</serial></device>');
        expect(replaced.status, replaced.text).to.equal(200);
        const patched = await send('PATCH', path, json, '{"label":"Door"}');
        expect(patched.json()).to.include({ serial: 'SN-8', label: 'Door' }).and.not.have.property('site');
        expect((await send('POST', '/devices', json, '{"serial":"sn-8"}')).json().errors).to.deep.equal([
          { pointer: '/serial', detail: 'another device has this serial' },
        ]);
        expect((await send('POST', '/devices', json, '{"label":"x"}')).status).to.equal(422);
        expect((await send('DELETE', path, json)).status).to.equal(204);
        expect((await send('GET', path, json)).json()).to.include({ type: '/problems/device-not-found' });
        expect(
          (
            await service.send('/devices', {
              headers: { authorization: `Bearer ${await aToken(['users:read'])}` },
            })
          ).status,
        ).to.equal(403);
      });

      it('is listed, searched, filtered, sorted and paged', async () => {
        for (const [serial, site] of [
          ['c', 'north'],
          ['a', 'south'],
          ['b', 'north'],
        ] as const)
          await send('POST', '/devices', json, JSON.stringify({ serial, site, label: `Lamp ${serial}` }));
        const list = async (query: string) => {
          const answer = await send('GET', `/devices?${query}`, json);
          expect(answer.status, answer.text).to.equal(200);
          const { devices, total } = answer.json() as unknown as {
            devices: { serial: string }[];
            total?: number;
          };
          return {
            serials: devices.map(({ serial }) => serial),
            total,
            link: answer.headers.get('link') ?? '',
          };
        };
        expect((await list('sort=serial')).serials).to.deep.equal(['a', 'b', 'c']);
        expect((await list('site=north&sort=-serial')).serials).to.deep.equal(['c', 'b']);
        expect((await list('search=lamp%20a')).serials).to.deep.equal(['a']);
        const { serials, total, link } = await list('sort=serial&limit=2&total=true&search=lamp');
        expect([serials, total]).to.deep.equal([['a', 'b'], 3]);
        const [, next = ''] = /<\/devices\?([^>]*)>; rel="next"/.exec(link) ?? [];
        expect((await list(next)).serials).to.deep.equal(['c']);
        expect((await send('GET', '/devices?total=true', xml)).text).to.match(/<devices [^>]*total="3">/);
      });
    });

  for (const format of fileFormats)
    it(`is exported as ${format.name}, and imported: again it changes nothing`, async () => {
      const folder = aFolder();
      const path = join(folder.path, `devices.${format.name}`);
      const kind = kinds.of('device');
      const signal = new AbortController().signal;
      const [from, to] = [memoryStore(kinds), memoryStore(kinds)];
      for (const serial of ['b', 'a', 'c']) {
        const next = sampleOf(kind, serial, { label: `Lamp ${serial}` });
        await from.commit([{ kind: 'device', id: next.id, op: 'create', next }], tester);
      }
      const target = openTarget(path);
      const selection = { conditions: { where: matchAll }, sort: {} };
      const codec = codecOf(kind, format);
      const options = { kind, codec, selection, signal, onProgress: () => {}, onDamaged: expect.fail };
      expect(await exportResources(from, target, options)).to.equal(3);
      await target.finish();
      const around = {
        signal,
        onFatal: (error: unknown) => expect.fail(String(error)),
        assertForeign: async () => {},
        openStore: async () => to,
      };
      const created = { created: 3, changed: 0, unchanged: 0, rejected: 0 };
      expect((await takeResources({ kind, codec, path }, around)).counts).to.deep.equal(created);
      const again = await takeResources({ kind, codec, path }, around);
      expect(again.counts).to.deep.equal({ ...created, created: 0, unchanged: 3 });
      folder.remove();
    });
});
