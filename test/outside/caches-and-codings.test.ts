import { expect } from 'chai';
import { Scene } from './scene.ts';
import { setups } from './setups.ts';
import { needed } from './tools.ts';

const types = ['application/json', 'application/xml'] as const;
const json = { 'content-type': 'application/json' };
const gzipMagic = '\x1f';

for (const name of ['Squid', 'nginx', 'Varnish'] as const) {
  describe(`Behind ${name}, a large user`, () => {
    let scene: Scene;
    before(async function () {
      scene = await Scene.open(name, needed(this, setups[name].program));
    });
    after(() => scene?.close());

    async function aLargeUser(title: string, path?: string): Promise<string> {
      const body = JSON.stringify({
        userName: 'large',
        title,
        attributes: { note: 'so it is. '.repeat(100) },
      });
      const method = path === undefined ? 'POST' : 'PUT';
      const made = await scene.service.send(path ?? '/users', { method, headers: json, body });
      return path ?? made.headers.get('location') ?? '';
    }

    it('is stored separately for each format and coding; every copy is revalidated, and replaced after a change', async () => {
      const path = await aLargeUser('first');
      scene.askedHere();
      const tags: string[] = [];
      for (const round of ['fetched', 'kept', 'changed']) {
        if (round === 'changed') await aLargeUser('second', path);
        for (const accept of types) {
          for (const coding of ['gzip', 'identity']) {
            const read = await scene.ask(path, { headers: { accept, 'accept-encoding': coding } });
            const isCoded = coding === 'gzip';
            expect(read.status).to.equal(200);
            expect(read.headers['content-type']).to.include(accept);
            expect(read.headers['content-encoding']).to.equal(isCoded ? 'gzip' : undefined);
            expect(read.text.startsWith(gzipMagic)).to.equal(isCoded);
            if (!isCoded) expect(read.text).to.include(round === 'changed' ? 'second' : 'first');
            tags.push(read.headers.etag ?? '');
          }
        }
      }
      expect(tags.slice(4, 8)).to.deep.equal(tags.slice(0, 4));
      expect(new Set(tags)).to.have.property('size', 8);
      for (const tag of tags) expect(tag).to.match(/^"/);
      expect(scene.askedHere().slice(4, 8)).to.deep.equal([304, 304, 304, 304]);
    });
  });
}
