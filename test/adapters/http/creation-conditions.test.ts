import { expect } from 'chai';
import { clientNames, clients } from '../../support/clients.ts';
import { type Request, startService, type TestService } from '../../support/service.ts';

for (const name of clientNames) {
  const { write, read, user, problemType } = clients[name];

  describe(`A condition, for a client that speaks ${name},`, () => {
    let service: TestService;
    beforeEach(async () => {
      service = await startService();
    });
    afterEach(() => service.close());
    const post = (headers: Readonly<Record<string, string>>, body = user({ userName: 'one' })) =>
      service.send('/users', { method: 'POST', headers: { ...write, ...headers }, body });
    const count = async () => (await service.send('/users')).json().users.length;

    it('on the creation of a user fails with 412 when it requires a certain state of the list', async () => {
      const list = (await service.send('/users', { headers: read })).headers.get('etag') ?? '';
      for (const headers of [
        { 'if-match': '"x"' },
        { 'if-match': list },
        { 'if-match': '"v.json1"' },
        { 'if-match': '*', 'if-none-match': '*' },
        { 'if-none-match': '*' },
        { 'if-none-match': list },
        { 'if-none-match': `"v.json1", W/${list}` },
      ]) {
        const answer = await post(headers);
        expect([answer.status, answer.headers.get('content-type')], JSON.stringify(headers)).to.deep.equal([
          412,
          problemType,
        ]);
        expect(answer.text).to.include('/problems/precondition-failed');
      }
      expect(await count()).to.equal(0);
    });

    it('on the creation of a user holds when it holds for any list', async () => {
      const past = 'Thu, 01 Jan 1970 00:00:00 GMT';
      const holding: Readonly<Record<string, string>>[] = [
        { 'if-match': '*' },
        { 'if-none-match': '"v.json1"' },
        { 'if-match': '*', 'if-none-match': 'W/"v.xml1-gzip", "w.json1"' },
        { 'if-unmodified-since': past },
        { 'if-modified-since': past },
      ];
      for (const [at, headers] of holding.entries())
        expect((await post(headers, user({ userName: `u${at}` }))).status, JSON.stringify(headers)).to.equal(
          201,
        );
      expect(await count()).to.equal(holding.length);
    });

    it('is checked after the body and before the name: 400, 422, 412, 409', async () => {
      expect((await post({})).status).to.equal(201);
      expect((await post({ 'if-match': 'unquoted' }, user({}))).status).to.equal(400);
      expect((await post({ 'if-none-match': '*' }, user({}))).status).to.equal(422);
      expect((await post({ 'if-none-match': '*' })).status).to.equal(412);
      expect((await post({ 'if-match': '*' })).status).to.equal(409);
    });

    it('on the tag of a list or a page of the contract fails with 412 when the tag has changed', async () => {
      const asked: readonly [path: string, request: Request][] = [
        ['/users', { headers: read }],
        ['/openapi.json', { headers: { ...read, 'accept-encoding': 'gzip' } }],
      ];
      for (const [path, { headers }] of asked) {
        const tag = (await service.send(path, { headers: headers ?? {} })).headers.get('etag') ?? '';
        const statusOf = async (match: string) =>
          (await service.send(path, { headers: { ...headers, 'if-match': match } })).status;
        for (const match of [tag, '*', `"x", ${tag}`]) expect(await statusOf(match), match).to.equal(200);
        for (const match of ['"x"', `W/${tag}`]) expect(await statusOf(match), match).to.equal(412);
        expect(await statusOf('unquoted')).to.equal(400);
      }
    });
  });
}
