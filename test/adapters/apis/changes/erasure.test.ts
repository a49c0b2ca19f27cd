import { expect } from 'chai';
import { type Directory, openDirectory } from './directory.ts';

describe('DELETE /users/{id}?erase=true', () => {
  let directory: Directory;
  beforeEach(async () => {
    directory = await openDirectory();
  });
  afterEach(() => directory.close());

  it('deletes the user and leaves no value in the history, but what was changed, when and by whom', async () => {
    const id = await directory.write('POST', '/users', { userName: 'ada', title: 'Analyst' });
    await directory.write('PATCH', `/users/${id}`, { title: 'Countess' }, 'billing');
    const other = await directory.write('POST', '/users', { userName: 'babbage' });
    await directory.write('DELETE', `/users/${id}?erase=true`);
    expect((await directory.send(`/users/${id}`)).status).to.equal(404);
    const { text } = await directory.send(`/users/${id}/history`);
    expect(text).not.to.match(/"ada"|Analyst|Countess|label|before|after/);
    const { changes } = await directory.read(`/users/${id}/history`);
    expect(changes.map(({ type, by, changed }) => ({ type, by, changed }))).to.deep.equal([
      { type: 'user.deleted', by: { client: 'hr-sync' }, changed: undefined },
      { type: 'user.updated', by: { client: 'billing' }, changed: ['/title'] },
      { type: 'user.created', by: { client: 'hr-sync' }, changed: undefined },
    ]);
    const kept = await directory.read(`/users/${other}/history`);
    expect(kept.changes[0]?.label).to.equal('babbage');
  });

  it('erases the values of a user who was deleted without it, whatever the precondition, and is 404 afterwards', async () => {
    const id = await directory.write('POST', '/users', { userName: 'ada', title: 'Analyst' });
    await directory.write('DELETE', `/users/${id}`);
    const erase = async () => {
      const headers = { 'if-match': '"of-another-time"' };
      return (await directory.send(`/users/${id}?erase=true`, { method: 'DELETE', headers })).status;
    };
    expect(await erase()).to.equal(204);
    const { text } = await directory.send(`/users/${id}/history`);
    expect(text)
      .to.include('user.deleted')
      .and.not.match(/"ada"|Analyst/);
    expect(await erase()).to.equal(404);
  });

  it('refuses any other parameter and value, so that no mistyped erasure is a mere deletion', async () => {
    const [id] = await directory.addUsers(1);
    for (const query of ['erase', 'erase=', 'erase=yes', 'erased=true', 'erase=true&erase=true', 'x=1']) {
      const { status, text } = await directory.send(`/users/${id}?${query}`, { method: 'DELETE' });
      expect([status, JSON.parse(text).type], query).to.deep.equal([400, '/problems/invalid-parameter']);
    }
    expect((await directory.send(`/users/${id}`)).status).to.equal(200);
  });

  it('erases nothing when its precondition fails', async () => {
    const [id] = await directory.addUsers(1);
    const headers = { 'if-match': '"another"' };
    const { status } = await directory.send(`/users/${id}?erase=true`, { method: 'DELETE', headers });
    expect(status).to.equal(412);
    expect((await directory.read(`/users/${id}/history`)).changes[0]).to.include.keys('label', 'after');
  });
});
