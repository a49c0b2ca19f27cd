import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { needed } from '../outside/tools.ts';
import { aFreePort } from '../support/free-port.ts';
import { Machine } from './machine.ts';
import { blocksIn, read } from './printed-commands.ts';

type Json = Readonly<Record<string, unknown>>;

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What OneLogin fills in; a user may lack each of them. */
const macros: Readonly<Record<string, string>> = {
  'parameters.scimusername': 'ada@onelogin.example',
  'user.display_name': 'Ada Lovelace',
  'user.firstname': 'Ada',
  'user.lastname': 'Lovelace',
  'user.email': 'ada@onelogin.example',
  'user.phone': '+44 20 7946 0000',
  'parameters.title': 'Analyst',
  'parameters.department': 'Engines',
};

const filled = (template: string, values: Readonly<Record<string, string>>): Json =>
  JSON.parse(template.replace(/\{\$([\w.]+)\}/g, (_, name) => values[name] ?? ''));

describe('The pages for identity providers', () => {
  const pages = ['docs/okta.md', 'docs/entra-id.md', 'docs/onelogin.md'];
  let machine: Machine;
  let url: string;
  const secrets = new Map<string, string>();

  /** What the page's command prints last on the machine of an operator. */
  async function keyOf(page: string, more: (command: string) => string = (command) => command) {
    const command = blocksIn(page, 'sh').find((block) => block.includes('api-key')) ?? '';
    const printed = await machine.run(more(command), { withSettings: false });
    return printed.trim().split('\n').at(-1) ?? '';
  }

  const sender =
    (secret: string) =>
    (method: string, path: string, body?: object): Promise<Response> =>
      fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });

  before(async () => {
    const port = await aFreePort();
    machine = new Machine(port);
    url = `http://127.0.0.1:${port}`;
    const [, files = '', start = ''] = blocksIn('docs/operate/install.md', 'sh');
    await machine.run(files, { withSettings: false });
    const settings = 'etc/user-management/environment';
    machine.write(settings, machine.read(settings).replace(/^#(?=USERS_API_KEYS_FILE)/m, ''));
    for (const page of pages) secrets.set(page, await keyOf(page));
    await machine.run(start, { withSettings: false });
  });
  after(() => machine?.discard());

  for (const page of pages) {
    it(`print a command whose key allows to read and write, but not to delete, users of the installed service: ${page}`, async () => {
      const send = sender(secrets.get(page) ?? '');
      const made = await send('POST', '/users', { userName: page });
      expect(made.status, await made.text()).to.equal(201);
      const path = String(made.headers.get('location'));
      expect((await send('PATCH', path, { active: false })).status).to.equal(200);
      expect((await send('DELETE', path)).status).to.equal(403);
    });

    it(`print requests for testing the connection that get 200: ${page}`, function () {
      needed(this, 'curl');
      const tests = blocksIn(page, 'sh').filter((block) => block.startsWith('curl'));
      expect(tests).to.have.lengthOf(1);
      for (const line of tests.join('').trim().split('\n')) {
        const env = { ...process.env, SECRET: secrets.get(page) };
        const command = line.replace('https://users.example', url);
        expect(execFileSync('sh', ['-c', command], { env, encoding: 'utf8', stdio: 'pipe' })).to.match(
          /^HTTP\/1\.1 200 OK\r\n[\s\S]*"totalResults":\d+/,
        );
      }
    });

    it(`name the scopes for pushing groups, and for deleting them if the page says so: ${page}`, async () => {
      const [scope] =
        /"[^"]*groups:write[^"]*"/.exec(/`--scope "[^"]*groups:[^"]*"`/.exec(read(page))?.[0] ?? '') ?? [];
      const send = sender(
        await keyOf(page, (command) => (scope ? command.replace(/(?<=--scope )"[^"]*"/, scope) : command)),
      );
      const user = (await (await send('POST', '/users', { userName: `${page}-2` })).json()) as Json;
      const group = await send('POST', '/scim/v2/Groups', { displayName: `Engineering ${page}` });
      expect(group.status).to.equal(201);
      const path = String(group.headers.get('location'));
      const Operations = [{ op: 'Add', path: 'members', value: [{ value: user.id }] }];
      expect((await send('PATCH', path, { Operations })).status).to.equal(204);
      const found = await (await send('GET', `/groups?displayName=engineering%20${page}`)).json();
      expect((found as { groups: object[] }).groups[0]).to.include({ memberCount: 1 });
      expect((await send('DELETE', path)).status).to.equal(scope?.includes('groups:delete') ? 204 : 403);
    });
  }

  it('have a template for OneLogin that creates users, also with all optional values missing', async () => {
    const send = sender(secrets.get('docs/onelogin.md') ?? '');
    const [template = ''] = blocksIn('docs/onelogin.md', 'json');
    expect(new Set([...template.matchAll(/\{\$([\w.]+)\}/g)].map(([, name]) => name))).to.deep.equal(
      new Set(Object.keys(macros)),
    );
    const made = await send('POST', '/scim/v2/Users', filled(template, macros));
    expect(made.status).to.equal(201);
    const user = (await (await send('GET', '/users?userName=ada@onelogin.example')).json()) as {
      users: Json[];
    };
    expect(user.users[0]).to.deep.include({
      displayName: 'Ada Lovelace',
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      emails: [{ value: 'ada@onelogin.example', type: 'work', primary: true }],
      phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work' }],
      title: 'Analyst',
      enterprise: { department: 'Engines' },
    });
    const bare = filled(template, { 'parameters.scimusername': 'grace' });
    const other = await send('POST', '/scim/v2/Users', bare);
    const { id: _id, meta: _meta, ...kept } = (await other.json()) as Json;
    expect(kept).to.deep.equal({ schemas: [core], userName: 'grace', active: true });
  });
});
