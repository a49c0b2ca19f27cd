import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { type ClientName, clientNames, clients, nobody } from '../../support/clients.ts';
import { startService, type TestService } from '../../support/service.ts';

type Fields = Readonly<Record<string, string>>;
const past = 'Sun, 06 Nov 1994 08:49:37 GMT';
const future = 'Sun, 01 Feb 2099 00:00:00 GMT';

for (const name of clientNames) {
  const { read, write, user } = clients[name];
  const other: ClientName = name === 'JSON' ? 'XML' : 'JSON';

  describe(`Conditional requests in ${name}`, () => {
    let service: TestService;
    let path: string;
    let tag: string;
    let otherTag: string;
    beforeEach(async () => {
      service = await startService();
      const body = user({ userName: 'one' });
      const made = await service.send('/users', { method: 'POST', headers: write, body });
      path = made.headers.get('location') ?? '';
      tag = made.headers.get('etag') ?? '';
      otherTag = (await service.send(path, { headers: clients[other].read })).headers.get('etag') ?? '';
    });
    afterEach(() => service.close());

    const get = (headers: Fields, method = 'GET') =>
      service.send(path, { method, headers: { ...read, ...headers } });
    const put = (headers: Fields, at = path) =>
      service.send(at, { method: 'PUT', headers: { ...write, ...headers }, body: user({ userName: 'one' }) });
    const remove = (headers: Fields) =>
      service.send(path, { method: 'DELETE', headers: { ...read, ...headers } });

    it('use a strong ETag of each format, the same in GET, HEAD and the answers to writes', async () => {
      expect(tag)
        .to.match(/^"[^"]+"$/)
        .and.not.equal(otherTag);
      for (const method of ['GET', 'HEAD']) expect((await get({}, method)).headers.get('etag')).to.equal(tag);
      const written = await put({});
      expect(written.headers.get('etag'))
        .to.equal((await get({})).headers.get('etag'))
        .and.not.equal(tag);
    });

    it('get 304 only for the tag of the same representation', async () => {
      const asked: [match: string, status: number][] = [
        [tag, 304],
        [`W/${tag}`, 304],
        [`"x", ${tag}`, 304],
        [`,"x",,\tW/${tag} ,`, 304],
        ['*', 304],
        [otherTag, 200],
        [`${otherTag}, "x"`, 200],
        ['"x"', 200],
        [tag.replaceAll('"', ''), 400],
      ];
      for (const method of ['GET', 'HEAD'])
        for (const [match, status] of asked)
          expect((await get({ 'if-none-match': match }, method)).status, `${method} ${match}`).to.equal(
            status,
          );
      const twice = [...Object.entries(read), ['If-None-Match', '"x"'], ['If-None-Match', tag]] as const;
      expect((await service.send(path, { headers: twice as never })).status).to.equal(304);
    });

    it('get the fields of the 200 with a 304, and no body', async () => {
      // Changed long ago: within the second of a change Last-Modified moves with the clock.
      const old = aUser();
      await service.store.insert(Stored.of(old));
      path = `/users/${old.id}`;
      const whole = await get({});
      const match = { 'if-none-match': whole.headers.get('etag') ?? '' };
      for (const method of ['GET', 'HEAD']) {
        const fresh = await get(match, method);
        expect([fresh.status, fresh.text]).to.deep.equal([304, '']);
        for (const field of ['etag', 'vary', 'cache-control', 'last-modified'])
          expect(fresh.headers.get(field), field).to.equal(whole.headers.get(field)).and.be.a('string');
        for (const field of ['content-type', 'content-length', 'transfer-encoding'])
          expect(fresh.headers.get(field), field).to.equal(null);
      }
    });

    it('may lock with the tag of either format, never with a weak one', async () => {
      const locked: [match: string, status: number][] = [
        [`W/${tag}`, 412],
        ['"x"', 412],
        [`"x", W/${tag}, "y"`, 412],
        ['unquoted', 400],
        [`"x" ${tag}`, 400],
        [`${tag}, "unended`, 400],
      ];
      for (const [match, status] of locked) {
        for (const answer of [await put({ 'if-match': match }), await remove({ 'if-match': match })])
          expect(answer.status, match).to.equal(status);
        const patch = {
          method: 'PATCH',
          headers: { ...write, 'if-match': match },
          body: user({ title: 't' }),
        };
        const refused = await service.send(path, patch);
        expect(refused.status, match).to.equal(status);
        expect(/a weak tag \(W\/\) never matches If-Match/i.test(refused.text), match).to.equal(
          match.includes(`W/${tag}`),
        );
      }
      expect((await get({})).headers.get('etag')).to.equal(tag);
      for (const match of [() => `"x",, ${otherTag}`, () => `${tag}, W/"x"`, () => '*']) {
        const written = await put({ 'if-match': match() });
        expect(written.status, match()).to.equal(200);
        tag = written.headers.get('etag') ?? '';
        otherTag = (await service.send(path, { headers: clients[other].read })).headers.get('etag') ?? '';
      }
      expect((await remove({ 'if-match': otherTag })).status).to.equal(204);
    });

    it('with If-None-Match: * neither replace an existing user nor create a missing one', async () => {
      for (const match of ['*', `"x", ${otherTag}`, `W/${tag}`]) {
        const refused = await put({ 'if-none-match': match });
        expect(refused.status, match).to.equal(412);
        expect(refused.text, match).to.match(/is what If-None-Match excludes.*in If-Match/);
        expect(refused.text, match).not.to.include('has changed');
      }
      expect((await put({ 'if-match': '*' }, `/users/${nobody}`)).status).to.equal(404);
      expect((await put({ 'if-none-match': '*' }, `/users/${nobody}`)).status).to.equal(404);
      expect((await put({ 'if-none-match': '"x"' })).status).to.equal(200);
    });

    it('have their conditions evaluated in the order of RFC 9110 §13.2.2', async () => {
      const reads: [headers: Fields, status: number][] = [
        [{ 'if-match': tag, 'if-unmodified-since': past }, 200],
        [{ 'if-match': '"x"', 'if-unmodified-since': future }, 412],
        [{ 'if-match': '"x"', 'if-none-match': tag }, 412],
        [{ 'if-unmodified-since': past, 'if-none-match': tag }, 412],
        [{ 'if-match': tag, 'if-none-match': tag }, 304],
        [{ 'if-none-match': '"x"', 'if-modified-since': future }, 200],
        [{ 'if-none-match': tag, 'if-modified-since': past }, 304],
        [{ 'if-unmodified-since': future, 'if-modified-since': future }, 304],
      ];
      for (const [headers, status] of reads)
        for (const method of ['GET', 'HEAD'])
          expect((await get(headers, method)).status, JSON.stringify(headers)).to.equal(status);
      expect((await put({ 'if-match': tag, 'if-unmodified-since': past })).status).to.equal(200);
      expect((await put({ 'if-match': tag, 'if-unmodified-since': future })).status).to.equal(412);
      expect((await put({ 'if-modified-since': future })).status).to.equal(200);
    });

    it('compare dates only beyond the second of the change', async () => {
      const meta = clients.JSON.member((await service.send(path)).text, 'meta') as unknown as {
        lastModified: string;
      };
      const at = (ms: number) => new Date(Date.parse(meta.lastModified) + ms).toUTCString();
      expect((await get({ 'if-modified-since': at(0) })).status).to.equal(200);
      expect((await get({ 'if-modified-since': at(2000) })).status).to.equal(304);
      expect((await get({ 'if-modified-since': 'yesterday' })).status).to.equal(200);
      expect((await get({ 'if-unmodified-since': at(0) })).status).to.equal(412);
      expect((await remove({ 'if-unmodified-since': at(0) })).status).to.equal(412);
      expect((await remove({ 'if-unmodified-since': 'yesterday' })).status).to.equal(204);
    });

    it('get the whole representation when they ask for a range, since ranges are not supported', async () => {
      const whole = await get({});
      const part = await get({ range: 'bytes=0-3', 'if-range': tag });
      expect([part.status, part.text]).to.deep.equal([200, whole.text]);
    });

    it('work for lists by their tags', async () => {
      const list = (headers: Fields) => service.send('/users', { headers: { ...read, ...headers } });
      const listTag = (await list({})).headers.get('etag') ?? '';
      expect((await list({ 'if-none-match': `"x", W/${listTag}` })).status).to.equal(304);
      expect((await list({ ...clients[other].read, 'if-none-match': listTag })).status).to.equal(200);
      await put({});
      expect((await list({ 'if-none-match': listTag })).status).to.equal(200);
    });

    it('can be required for writes', async () => {
      const strict = await startService({ requireIfMatch: true });
      const body = user({ userName: 'one' });
      const made = await strict.send('/users', { method: 'POST', headers: write, body });
      const at = made.headers.get('location') ?? '';
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await strict.send(at, {
          method,
          headers: write,
          ...(method === 'DELETE' ? {} : { body }),
        });
        expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
          428,
          clients[name].problemType,
        ]);
      }
      const locked = { ...write, 'if-match': made.headers.get('etag') ?? '' };
      expect((await strict.send(at, { method: 'PUT', headers: locked, body })).status).to.equal(200);
      await strict.close();
    });
  });
}

describe('Concurrent patches without If-Match', () => {
  it('all take effect, in any format', async () => {
    const service = await startService();
    const { write, user } = clients.JSON;
    const body = user({ userName: 'one' });
    const path =
      (await service.send('/users', { method: 'POST', headers: write, body })).headers.get('location') ?? '';
    const patches: [ClientName, string][] = [
      ['JSON', 'title'],
      ['XML', 'nickName'],
      ['JSON', 'displayName'],
      ['XML', 'userType'],
      ['XML', 'locale'],
    ];
    const answers = await Promise.all(
      patches.map(([name, member]) => {
        const change = clients[name].user({ [member]: 'nl' });
        return service.send(path, { method: 'PATCH', headers: clients[name].write, body: change });
      }),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(patches.map(() => 200));
    const { text } = await service.send(path);
    for (const [, member] of patches) expect(clients.JSON.member(text, member), member).to.equal('nl');
    await service.close();
  });
});
