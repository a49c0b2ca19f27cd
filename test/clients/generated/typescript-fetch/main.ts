/** usage: TOKEN=… node main.js BASE_URL, on a service without users. Prints a line for each thing that went as it should. */
import { deepStrictEqual } from 'node:assert';
import { Configuration, ProblemFromJSON, ResponseError, UsersApi } from './users/index.js';

const [, , url = ''] = process.argv;
const token = process.env.TOKEN ?? '';

// docs/clients.md
const api = new UsersApi(new Configuration({ basePath: url, accessToken: token }));

const userInput = { userName: 'ada', title: 'Analyst', roles: ['engineer'] };
const created = await api.createUserRaw({ userInput });
const [user, tag] = [await created.value(), created.raw.headers.get('ETag') ?? ''];

const page = await api.listUsersRaw({ role: 'engineer', limit: 1, total: true });
const { total, users } = await page.value();
const next = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(page.raw.headers.get('Link') ?? '')?.[1];
console.log(`${users.length} of ${total}, ${next === undefined ? 'no more' : `more with after: '${next}'`}`);

const whole = { ...user, title: 'Countess' };
const replaced = await api.replaceUser({ id: user.id, userInput: whole, ifMatch: tag });
const patched = await api.patchUser({ id: user.id, userPatch: { displayName: 'Ada Lovelace' } });

try {
  await api.replaceUser({ id: user.id, userInput: whole, ifMatch: tag });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const problem = ProblemFromJSON(await error.response.json());
  console.log(problem.status, problem.detail);
}
// end

const expect = (what: string, got: unknown, wanted: unknown): void => {
  deepStrictEqual(got, wanted, `${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
  console.log(what);
};

async function refusal(request: Promise<unknown>): Promise<unknown> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const { status, type, errors = [] } = ProblemFromJSON(await error.response.json());
    return [status, type, ...errors.map(({ pointer }) => pointer)];
  }
  throw new Error('it was not refused');
}

expect('created', [user.userName, user.title, user.roles], ['ada', 'Analyst', ['engineer']]);
expect('read', await api.readUser({ id: user.id }), patched);
expect('total', [total, users.length, next], [1, 1, undefined]);
if (!replaced || !patched) throw new Error('nothing was shown, as Prefer would have it');
const { meta: _before, ...kept } = replaced;
const { meta: _after, ...now } = patched;
expect('replaced', replaced.title, 'Countess');
expect('patched', now, { ...kept, displayName: 'Ada Lovelace' });
const cleared = await api.patchUser({ id: user.id, userPatch: { title: '', roles: [] } });
expect(
  'cleared',
  [cleared?.title, cleared?.roles, cleared?.displayName],
  [undefined, undefined, 'Ada Lovelace'],
);

for (const userName of ['grace', 'edsger', 'barbara', 'donald'])
  await api.createUser({ userInput: { userName, emails: [{ value: `${userName}@example.com` }] } });
const names: string[] = [];
for (let after: string | undefined; ; ) {
  const one = await api.listUsersRaw({ limit: 2, ...(after === undefined ? {} : { after }) });
  names.push(...(await one.value()).users.map(({ userName }) => userName));
  after = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(one.raw.headers.get('Link') ?? '')?.[1];
  if (after === undefined) break;
}
expect('listed', names, ['ada', 'grace', 'edsger', 'barbara', 'donald']);

const nobody = '00000000-0000-7000-8000-000000000000';
expect('404', await refusal(api.readUser({ id: nobody })), [404, '/problems/user-not-found']);
expect('409', await refusal(api.createUser({ userInput })), [409, '/problems/user-name-taken', '/userName']);
const late = api.replaceUser({ id: user.id, userInput: whole, ifMatch: tag });
expect('412', await refusal(late), [412, '/problems/precondition-failed']);
const wrong = api.createUser({ userInput: { userName: 'ada lovelace' } });
expect('422', await refusal(wrong), [422, '/problems/invalid-user', '/userName']);
