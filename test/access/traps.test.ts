/**
 * What other directories were reported to leak to clients that see a part of them. `topaz` is what a client must not learn: it is in hidden
 * members of users inside, and in users and groups outside. A guess that is right must be answered as one that is wrong.
 */
import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { type Answer, aToken, startService, type TestService } from '../support/service.ts';
import { base } from './limited-client.ts';

const profiles = {
  sales: {
    users: {
      where: { department: 'Sales' },
      read: '*',
      except: [
        'x509Certificates',
        'emails',
        'nickName',
        'name.familyName',
        'attributes.badge',
        'enterprise.manager',
      ],
      write: ['title', 'displayName', 'enterprise.department'],
      ...{ create: true, delete: true },
    },
    groups: {
      where: { externalId: 'sales' },
      read: '*',
      except: ['description'],
      write: '*',
      create: true,
      delete: true,
    },
  },
  other: {
    users: {
      where: { department: 'Sales' },
      read: ['userName', 'active', 'displayName', 'enterprise.department'],
    },
    groups: { where: { externalId: 'sales' }, read: '*' },
  },
};
const people = { users: { read: '*' } };
const changed = {
  ...profiles,
  sales: {
    ...profiles.sales,
    users: { ...profiles.sales.users, where: { department: ['Sales', 'Support'] } },
  },
};

interface Scene {
  readonly service: TestService;
  /** Inside, with hidden members. */
  readonly ada: string;
  /** Inside. */
  readonly ben: string;
  /** Outside. */
  readonly eve: string;
  /** Outside, and deleted. */
  readonly gone: string;
  /** Was inside. */
  readonly left: string;
  /** Inside, with ada, ben and eve. */
  readonly club: string;
  /** Outside, with ada and eve. */
  readonly vault: string;
  readonly nobody: string;
  /** The id of the request that created eve. */
  readonly request: string;
  readonly tagOfEve: string;
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request, or only the path of a GET. */
type Request = string | Asked;

interface Trap {
  /** Of each pair: the first touches what is hidden, the second what is not there. They must be answered alike. */
  readonly alike?: (scene: Scene) => readonly (readonly [Request, Request])[];
  /** Their status, or that of each of these requests. */
  readonly status: number;
  readonly asked?: (scene: Scene) => readonly Request[];
  readonly check?: (answers: readonly Answer[], scene: Scene) => void;
}

const nobody = '99999999-0000-4000-8000-000000000000';
const scim = '/scim/v2';
const urns = {
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulk: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
};
const patch = (path: string, ...Operations: object[]): Asked => ({
  method: 'PATCH',
  path,
  body: { schemas: [urns.patch], Operations },
});
const bulk = (...Operations: object[]): Asked => ({
  method: 'POST',
  path: `${scim}/Bulk`,
  body: { schemas: [urns.bulk], Operations },
});
const put = (path: string, body: object, headers = {}): Asked => ({ method: 'PUT', path, body, headers });
const post = (path: string, body: object): Asked => ({ method: 'POST', path, body });
const merge = (path: string, body: object): Asked => ({ method: 'PATCH', path, body });
const remove = (path: string, headers = {}): Asked => ({ method: 'DELETE', path, headers });
const filtered = (path: string, filter: string): string =>
  `${scim}${path}?${new URLSearchParams({ filter })}`;

/** The words that a guess may be: right, and wrong. */
const guesses = (request: (word: string) => Request): readonly (readonly [Request, Request])[] => [
  [request('topaz'), request('quartz')],
];
const usersOf =
  (request: (id: string) => Request) =>
  ({ eve }: Scene) => [[request(eve), request(nobody)] as const];
const groupsOf =
  (request: (id: string) => Request) =>
  ({ vault }: Scene) => [[request(vault), request(nobody)] as const];

const traps: Readonly<Record<string, Trap>> = {
  'reading a user outside': { status: 404, alike: usersOf((id) => `/users/${id}`) },
  'reading a user outside by HEAD': {
    status: 404,
    alike: usersOf((id) => ({ method: 'HEAD', path: `/users/${id}` })),
  },
  'asking for the methods of a user outside': {
    status: 204,
    alike: usersOf((id) => ({ method: 'OPTIONS', path: `/users/${id}` })),
  },
  'reading a group outside': { status: 404, alike: groupsOf((id) => `/groups/${id}`) },
  'reading a user outside over SCIM': { status: 404, alike: usersOf((id) => `${scim}/Users/${id}`) },
  'a PUT to a user outside': {
    status: 404,
    alike: usersOf((id) => put(`/users/${id}`, { userName: 'fay' })),
  },
  'a PUT to a user outside, with a mistake in the body': {
    status: 404,
    alike: usersOf((id) => put(`/users/${id}`, { userName: '' })),
  },
  'a PATCH to a user outside': { status: 404, alike: usersOf((id) => merge(`/users/${id}`, { title: 'x' })) },
  'a PATCH over SCIM that tests values of a user outside': {
    status: 404,
    alike: usersOf((id) => patch(`${scim}/Users/${id}`, { op: 'remove', path: 'roles[value eq "topaz"]' })),
  },
  'the deletion of a user outside': { status: 404, alike: usersOf((id) => remove(`/users/${id}`)) },
  'the erasure of a user outside': { status: 403, alike: usersOf((id) => remove(`/users/${id}?erase=true`)) },
  'the erasure of a user who was deleted outside': {
    status: 403,
    alike: ({ gone }) => [[remove(`/users/${gone}?erase=true`), remove(`/users/${nobody}?erase=true`)]],
  },
  'the restoration of a user who was deleted outside': {
    status: 404,
    alike: ({ gone }) => [[post(`/users/${gone}/restore`, {}), post(`/users/${nobody}/restore`, {})]],
  },
  'a lock on a user outside': {
    status: 404,
    alike: ({ eve, tagOfEve }) => [
      [
        put(`/users/${eve}`, { userName: 'fay' }, { 'if-match': tagOfEve }),
        put(`/users/${nobody}`, { userName: 'fay' }, { 'if-match': tagOfEve }),
      ],
      [remove(`/users/${eve}`, { 'if-match': tagOfEve }), remove(`/users/${eve}`, { 'if-match': '"wrong"' })],
    ],
  },
  'a conditional GET of a user outside, with the right tag': {
    status: 404,
    alike: ({ eve, tagOfEve }) => [
      [
        { path: `/users/${eve}`, headers: { 'if-none-match': tagOfEve } },
        { path: `/users/${nobody}`, headers: { 'if-none-match': tagOfEve } },
      ],
    ],
  },
  'the total of a list': {
    status: 200,
    asked: () => [
      '/users?total=true',
      '/groups?total=true',
      '/users?total=true&limit=1',
      `${scim}/Users`,
      `${scim}/Groups?count=0`,
    ],
    check: ([users, groups, page, all, none]) => {
      expect([users, page].map((answer) => answer?.json().total)).to.deep.equal([2, 2]);
      expect(groups?.json().total).to.equal(1);
      expect([all, none].map((answer) => answer?.json().totalResults)).to.deep.equal([2, 1]);
    },
  },
  'a search for the words of hidden members and users outside': {
    status: 200,
    alike: () => guesses((word) => `/users?search=${word}&total=true`),
  },
  'a search for the beginnings of hidden words': {
    status: 200,
    alike: () =>
      ['t', 'top', 'topa'].map(
        (word) => [`/users?search=${word}&total=true`, '/users?search=zzz&total=true'] as const,
      ),
  },
  'a search among groups': {
    status: 200,
    alike: () => guesses((word) => `/groups?search=${word}&total=true`),
  },
  'a filter by the name of someone outside': {
    status: 200,
    alike: () => guesses((word) => `/users?userName=${word}`),
  },
  'a filter by a hidden member': {
    status: 403,
    alike: () => [
      ...guesses((word) => `/users?email=${word}@example.org`),
      ...guesses((word) => `/users?email.in=${word}@example.org&email.in=x@example.org`),
      ...guesses((word) => `/users?manager=${word}`),
    ],
  },
  'the negation of a filter by a hidden member': {
    status: 403,
    alike: () => guesses((word) => `/users?email.not=${word}@example.org`),
  },
  'the presence of a hidden member': {
    status: 403,
    alike: () => [
      ['/users?email.exists=true', '/users?email.exists=false'],
      ['/users?manager.exists=true', '/users?manager.exists=false'],
    ],
  },
  'an order by a hidden member': {
    status: 403,
    alike: () => [['/users?sort=familyName', '/users?sort=-familyName']],
  },
  'an order by a hidden member over SCIM': {
    status: 403,
    asked: () => [`${scim}/Users?sortBy=name.familyName`],
  },
  'a filter by the group of users': { status: 200, alike: groupsOf((id) => `/users?group=${id}&total=true`) },
  'a filter by all groups but one': {
    status: 200,
    alike: groupsOf((id) => `/users?group.not=${id}&total=true`),
  },
  'a filter by a member of groups': {
    status: 200,
    alike: usersOf((id) => `/groups?member=${id}&total=true`),
  },
  'a filter by all members but one': { status: 200, alike: usersOf((id) => `/groups?member.not=${id}`) },
  'a question for users in any group, which may be one outside': {
    status: 403,
    alike: () => [
      ['/users?group.exists=true', '/users?group.exists=false'],
      ['/groups?member.exists=true', '/groups?member.exists=false'],
    ],
  },
  'a question whether someone outside is a member': {
    status: 404,
    alike: ({ club, eve }) => [[`/groups/${club}/members/${eve}`, `/groups/${club}/members/${nobody}`]],
  },
  'a question for a member of a group outside': {
    status: 404,
    alike: ({ ada, vault }) => [[`/groups/${vault}/members/${ada}`, `/groups/${nobody}/members/${ada}`]],
  },
  'the number of members': {
    status: 200,
    asked: ({ club }) => ['/groups', `/groups/${club}`, `${scim}/Groups/${club}`],
    check: ([list, one, members]) => {
      expect(list?.json().groups[0]).not.to.have.property('memberCount');
      expect(one?.json()).to.have.property('memberCount', 2);
      expect(members?.json().members).to.have.length(2);
    },
  },
  'the groups of a user over SCIM': {
    status: 200,
    asked: ({ ada, club }) => [
      `${scim}/Users/${ada}?attributes=groups`,
      filtered('/Users', `groups.value eq "${club}"`),
    ],
    check: ([user, found]) => {
      expect(user?.json().groups).to.have.length(1);
      expect(found?.json().totalResults).to.equal(2);
    },
  },
  'adding someone outside to a group': {
    status: 422,
    alike: ({ club, eve }) => [
      [post(`/groups/${club}/members`, { add: [eve] }), post(`/groups/${club}/members`, { add: [nobody] })],
    ],
  },
  'adding someone outside to a group by PUT': {
    status: 404,
    alike: ({ club, eve }) => [
      [
        { method: 'PUT', path: `/groups/${club}/members/${eve}` },
        { method: 'PUT', path: `/groups/${club}/members/${nobody}` },
      ],
    ],
  },
  'adding a group outside, which is no user,': {
    status: 422,
    alike: ({ club, vault }) => [
      [post(`/groups/${club}/members`, { add: [vault] }), post(`/groups/${club}/members`, { add: [nobody] })],
    ],
  },
  'adding someone outside over SCIM': {
    status: 400,
    alike: ({ club, eve }) => [
      [
        patch(`${scim}/Groups/${club}`, { op: 'add', path: 'members', value: [{ value: eve }] }),
        patch(`${scim}/Groups/${club}`, { op: 'add', path: 'members', value: [{ value: nobody }] }),
      ],
    ],
  },
  'the removal of a member who is outside': {
    status: 422,
    alike: ({ club, eve }) => [
      [
        post(`/groups/${club}/members`, { remove: [eve] }),
        post(`/groups/${club}/members`, { remove: [nobody] }),
      ],
    ],
  },
  'a filter of SCIM by a hidden attribute': {
    status: 403,
    alike: () => [
      ...guesses((word) => filtered('/Users', `emails.value eq "${word}@example.org"`)),
      ...guesses((word) => filtered('/Users', `userName eq "ada" and nickName sw "${word}"`)),
      ...guesses((word) => filtered('/Users', `not (nickName eq "${word}")`)),
      ...guesses((word) => filtered('/Users', `emails[value eq "${word}@example.org"]`)),
      ...guesses((word) =>
        post(`${scim}/Users/.search`, { schemas: [urns.search], filter: `nickName eq "${word}"` }),
      ),
    ],
  },
  'a filter of SCIM that finds no one inside': {
    status: 200,
    alike: () => guesses((word) => filtered('/Users', `title eq "${word}"`)),
  },
  'a search of SCIM over all types': {
    status: 200,
    asked: () => [post(`${scim}/.search`, { schemas: [urns.search], filter: 'id pr' })],
    check: ([all]) => void expect(all?.json().totalResults).to.equal(3),
  },
  'attributes= with a hidden one': {
    status: 403,
    asked: ({ ada }) => [
      `${scim}/Users/${ada}?attributes=nickName`,
      `${scim}/Users?excludedAttributes=emails`,
      `${scim}/Users/${ada}?attributes=name.familyName`,
    ],
  },
  'the schemas of SCIM': {
    status: 200,
    asked: () => [`${scim}/Schemas/${urns.user}`, `${scim}/ResourceTypes`],
    check: ([schema]) =>
      void expect(schema?.text).not.to.match(/"(?:nickName|emails|familyName|x509Certificates)"/),
  },
  'a body that names a hidden member': {
    status: 403,
    alike: ({ ada }) => [
      ...guesses((word) => merge(`/users/${ada}`, { nickName: word })),
      ...guesses((word) => merge(`/users/${ada}`, { attributes: { badge: word } })),
      ...guesses((word) =>
        put(`/users/${ada}`, { userName: 'ada', enterprise: { department: 'Sales' }, nickName: word }),
      ),
      ...guesses((word) =>
        put(`${scim}/Users/${ada}`, { schemas: [urns.user], userName: 'ada', nickName: word }),
      ),
      [merge(`/users/${ada}`, { nickName: null }), merge(`/users/${ada}`, { nickName: 'quartz' })],
      [merge(`/users/${ada}`, { nickName: 7, title: 7 }), merge(`/users/${ada}`, { nickName: 'quartz' })],
    ],
  },
  'a PATCH over SCIM that selects by hidden values': {
    status: 403,
    alike: ({ ada }) =>
      guesses((word) =>
        patch(`${scim}/Users/${ada}`, { op: 'remove', path: `emails[value eq "${word}@example.org"]` }),
      ),
  },
  'a PATCH over SCIM that removes a hidden attribute': {
    status: 403,
    alike: ({ ada, ben }) => [
      [
        patch(`${scim}/Users/${ada}`, { op: 'remove', path: 'nickName' }),
        patch(`${scim}/Users/${ben}`, { op: 'remove', path: 'nickName' }),
      ],
    ],
  },
  'the hints of error texts': {
    status: 422,
    asked: ({ ada }) => [merge(`/users/${ada}`, { nickNam: 'x' }), merge(`/users/${ada}`, { attribute: {} })],
    check: ([answer]) => void expect(answer?.text).not.to.match(/perhaps nickName/),
  },
  'what a Bulk says of a user outside': {
    status: 200,
    alike: usersOf((id) =>
      bulk(
        { method: 'DELETE', path: `/Users/${id}` },
        {
          method: 'PATCH',
          path: `/Users/${id}`,
          data: { schemas: [urns.patch], Operations: [{ op: 'add', path: 'title', value: 'x' }] },
        },
      ),
    ),
  },
  'a name that someone outside has': {
    status: 409,
    asked: () => [
      post('/users', { userName: 'Topaz', enterprise: { department: 'Sales' } }),
      post(`${scim}/Users`, {
        schemas: [urns.user],
        userName: 'topaz',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
      }),
    ],
    check: (answers, { eve }) => {
      for (const { text } of answers) expect(text).not.to.include(eve);
    },
  },
  'an id that someone outside has': {
    status: 409,
    asked: ({ eve }) => [post('/users', { id: eve, userName: 'fay', enterprise: { department: 'Sales' } })],
  },
  'a user who would be outside': {
    status: 403,
    asked: ({ ben }) => [
      post('/users', { userName: 'fay', enterprise: { department: 'Research' } }),
      merge(`/users/${ben}`, { enterprise: { department: 'Research' } }),
      merge(`/users/${ben}`, { enterprise: null }),
      patch(`${scim}/Users/${ben}`, {
        op: 'remove',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      }),
    ],
  },
  'a group that would be outside': {
    status: 403,
    asked: ({ club }) => [
      merge(`/groups/${club}`, { externalId: 'research' }),
      post('/groups', { displayName: 'New' }),
    ],
  },
  'the history of a user outside': {
    status: 404,
    alike: ({ eve, gone }) => [
      [`/users/${eve}/history`, `/users/${nobody}/history`],
      [`/users/${gone}/history`, `/users/${nobody}/history`],
    ],
  },
  'the history of a user who has left the filter': {
    status: 200,
    asked: ({ left }) => [`/users/${left}/history`],
    check: ([history]) => {
      const types = /"type":"(.*?)"/g;
      expect(history?.text.match(types)).to.deep.equal(
        ['user.deleted', 'user.created'].map((type) => `"type":"${type}"`),
      );
    },
  },
  'the history of a group outside': { status: 404, alike: groupsOf((id) => `/groups/${id}/history`) },
  'the labels of histories': { status: 200, alike: () => guesses((word) => `/history?label=${word}`) },
  'the changes of one request': {
    status: 200,
    alike: ({ request }) => [[`/history?request=${request}`, `/history?request=${nobody}`]],
  },
  'the changes of one user outside': {
    status: 200,
    alike: ({ eve, gone }) => [
      [`/changes?since=start&id=${eve}`, `/changes?since=start&id=${nobody}`],
      [`/history?id=${gone}`, `/history?id=${nobody}`],
    ],
  },
  'the values of histories': {
    status: 200,
    asked: ({ ada, club }) => [
      `/users/${ada}/history`,
      `/groups/${club}/history`,
      '/history',
      '/changes?since=start',
    ],
  },
  'pages behind the last user inside': {
    status: 200,
    asked: () => ['/users?limit=2', '/groups?limit=1'],
    check: (answers) => {
      for (const { headers } of answers) expect(headers.get('link')).not.to.match(/rel="next"/);
    },
  },
};

/** Cursors are as long as the numbers in them. */
const left = ['date', 'x-request-id', 'etag', 'content-length'];

/** What a client can compare. @param own what this request alone has said */
function told({ status, headers, text }: Answer, own: readonly string[]): object {
  const blank = (value: string): string => own.reduce((rest, word) => rest.replaceAll(word, '…'), value);
  const fields = [...headers]
    .filter(([name]) => !left.includes(name))
    .map(([name, value]) => [name, blank(value)]);
  return {
    status,
    fields,
    text: blank(text.replace(/urn:uuid:[0-9a-f-]+/, '')).replace(/"(?:cursor|next)":"[^"]*"/g, ''),
  };
}

const printed = (request: Request): string =>
  typeof request === 'string' ? request : JSON.stringify(request);
const idsIn = (text: string): readonly string[] => [
  ...(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []),
  ...(text.match(/topaz|quartz|zzz/g) ?? []),
];

describe('A client that sees a part of the directory learns nothing of the rest from', () => {
  let scene: Scene;
  const store = memoryStore();

  const ask = (request: Request, as?: string, service = scene.service): Promise<Answer> => {
    const {
      method = 'GET',
      path,
      body,
      headers = {},
    } = typeof request === 'string' ? { path: request } : (request as Asked);
    const isMerge = method === 'PATCH' && !path.startsWith(scim);
    const type = path.startsWith(scim)
      ? 'application/scim+json'
      : `application/${isMerge ? 'merge-patch+json' : 'json'}`;
    return service.send(base + path, {
      method,
      headers: { ...(body && { 'content-type': type }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(as && { as }),
    });
  };

  before(async () => {
    const service = await startService(
      { profiles: { ...profiles, people }, basePath: base, sharedCaching: true },
      store,
    );
    const made = async (path: string, body: object): Promise<Answer> => {
      const answer = await ask(post(path, body), undefined, service);
      expect(answer.status, answer.text).to.be.oneOf([201, 204]);
      return answer;
    };
    const idOf = (answer: Answer): string => answer.json().id;
    const sales = { enterprise: { department: 'Sales' } };
    const outside = await made('/users', {
      userName: 'topaz',
      title: 'topaz',
      roles: ['topaz'],
      enterprise: { department: 'Research' },
    });
    const eve = idOf(outside);
    const ada = idOf(
      await made('/users', {
        ...{
          userName: 'ada',
          displayName: 'Ada',
          nickName: 'topaz',
          roles: ['buyer'],
          name: { givenName: 'Ada', familyName: 'topaz' },
        },
        emails: [{ value: 'topaz@example.org' }],
        enterprise: { department: 'Sales', manager: { value: 'topaz' } },
        attributes: { badge: 'topaz', desk: '1' },
      }),
    );
    const ben = idOf(await made('/users', { userName: 'ben', ...sales }));
    const gone = idOf(
      await made('/users', { userName: 'topaz.gone', enterprise: { department: 'Research' } }),
    );
    await ask(remove(`/users/${gone}`), undefined, service);
    const leaver = idOf(await made('/users', { userName: 'cyd', ...sales }));
    await ask(
      merge(`/users/${leaver}`, { userName: 'topaz.left', enterprise: { department: 'Research' } }),
      undefined,
      service,
    );
    const club = idOf(
      await made('/groups', { displayName: 'Club', externalId: 'sales', description: 'topaz' }),
    );
    const vault = idOf(await made('/groups', { displayName: 'topaz vault', externalId: 'research' }));
    await made(`/groups/${club}/members`, { add: [ada, ben, eve] });
    await made(`/groups/${vault}/members`, { add: [ada, eve] });
    const [request, tagOfEve] = ['x-request-id', 'etag'].map((name) => outside.headers.get(name) ?? '') as [
      string,
      string,
    ];
    scene = { service, ada, ben, eve, gone, left: leaver, club, vault, nobody, request, tagOfEve };
  });
  after(() => scene.service.close());

  const readAll = async (): Promise<readonly string[]> =>
    Promise.all(
      ['/users', '/groups', `/users?group=${scene.club}`, `/users?group=${scene.vault}`, '/history'].map(
        async (path) => (await ask(path)).text,
      ),
    );

  for (const [title, { status, alike, asked, check }] of Object.entries(traps))
    it(title, async () => {
      const before = await readAll();
      const hidden = [scene.eve, scene.vault, scene.gone];
      const expectNothing = (request: Request, { text }: Answer): void => {
        const sent = idsIn(printed(request));
        for (const secret of ['topaz', ...hidden].filter((one) => !sent.includes(one)))
          expect(text.toLowerCase(), printed(request)).not.to.include(secret);
      };
      for (const [right, wrong] of alike?.(scene) ?? []) {
        const answers = await Promise.all([right, wrong].map((request) => ask(request, 'sales')));
        const [one, other] = answers.map((answer, at) =>
          told(answer, idsIn(printed(at === 0 ? right : wrong))),
        );
        expect(one, `${printed(right)} and ${printed(wrong)}`).to.deep.equal(other);
        expect(answers[0]?.status, `${printed(right)}: ${answers[0]?.text}`).to.equal(status);
        expectNothing(right, answers[0] as Answer);
      }
      const requests = asked?.(scene) ?? [];
      const answers: Answer[] = [];
      for (const request of requests) {
        const answer = await ask(request, 'sales');
        expect(answer.status, `${printed(request)}: ${answer.text}`).to.equal(status);
        expectNothing(request, answer);
        answers.push(answer);
      }
      check?.(answers, scene);
      expect(await readAll(), 'nothing is changed').to.deep.equal(before);
    });

  it('caches: no other client gets its answers, errors and 304s included', async () => {
    const { ada, eve } = scene;
    const { headers } = await ask(`/users/${ada}`, 'sales');
    const tag = headers.get('etag') ?? '';
    for (const request of [
      `/users/${ada}`,
      '/users',
      `/users/${eve}`,
      { path: `/users/${ada}`, headers: { 'if-none-match': tag } },
      { path: `/users/${ada}`, headers: { accept: 'application/xml' } },
    ]) {
      const answer = await ask(request, 'sales');
      expect(answer.headers.get('cache-control'), printed(request)).to.match(
        /^(?:private, no-cache|no-store)$/,
      );
      expect(answer.headers.get('vary')).to.match(/Authorization/);
    }
    const held = (as?: string) => ask({ path: `/users/${ada}`, headers: { 'if-none-match': tag } }, as);
    expect((await held('sales')).status).to.equal(304);
    expect([(await held('other')).status, (await held()).status]).to.deep.equal([200, 200]);
  });

  it('cursors of other clients, in lists, feeds, histories and Last-Event-ID', async () => {
    const next = ({ headers }: Answer): string =>
      /<[^>]*?(\?[^>]*)>; rel="last"/.exec(headers.get('link') ?? '')?.[1] ?? expect.fail('no link');
    const lists = await Promise.all([undefined, 'other', 'sales'].map((as) => ask('/users?limit=1', as)));
    for (const [at, as] of [undefined, 'other', 'sales'].entries())
      for (const list of lists) {
        const { status } = await ask(`/users${next(list)}`, as);
        expect(status).to.equal(list === lists[at] ? 200 : 400);
      }
    const cursors = await Promise.all(
      [undefined, 'other', 'sales'].map(async (as) =>
        String((await ask('/changes?since=now', as)).json().next),
      ),
    );
    for (const [at, as] of [undefined, 'other', 'sales'].entries())
      for (const cursor of cursors) {
        const isOwn = cursor === cursors[at];
        const { status } = await ask(`/changes?since=${cursor}`, as);
        const history = await ask(`/history?after=${cursor}`, as);
        const stream = isOwn
          ? undefined
          : await ask(
              { path: '/changes', headers: { accept: 'text/event-stream', 'last-event-id': cursor } },
              as,
            );
        expect([status, history.status, stream?.status ?? 410]).to.deep.equal(
          isOwn ? [200, 200, 410] : [410, 410, 410].map(() => status),
        );
        if (!isOwn) expect(status).to.be.oneOf([400, 410]);
      }
  });

  it('updates: one that changes only hidden members is not reported', async () => {
    const { ada } = scene;
    const { next } = (await ask('/changes?since=now', 'sales')).json();
    await ask(merge(`/users/${ada}`, { nickName: 'topaz two' }));
    await ask(merge(`/users/${ada}`, { nickName: 'topaz', title: 'Head' }));
    const { changes } = (await ask(`/changes?since=${next}`, 'sales')).json() as unknown as {
      changes: readonly { changed: readonly string[] }[];
    };
    expect(changes.map((change) => change.changed)).to.deep.equal([['/title']]);
  });

  it('histories: a move into or out of the filter shows no values, since the missing ones would be those from outside', async () => {
    const research = { enterprise: { department: 'Research' } };
    const { id } = (await ask(post('/users', { userName: 'mia', displayName: 'Mia', ...research }))).json();
    await ask(merge(`/users/${id}`, { enterprise: { department: 'Sales' }, title: 'Head' }));
    await ask(merge(`/users/${id}`, { title: 'topaz', userName: 'topaz.mia', ...research }));
    const { changes } = (await ask(`/users/${id}/history`, 'sales')).json() as unknown as {
      changes: readonly object[];
    };
    expect(changes).to.have.length(2);
    for (const change of changes)
      expect(change).to.include({ label: 'mia' }).and.not.to.have.any.keys('before', 'after');
  });

  it('histories: a full page announces no further one if everything that follows is outside', async () => {
    const research = { enterprise: { department: 'Research' } };
    const { id } = (await ask(post('/users', { userName: 'pia', ...research }))).json();
    await ask(merge(`/users/${id}`, { enterprise: { department: 'Sales' } }));
    await ask(merge(`/users/${id}`, { displayName: 'Pia' }));
    const pageOf = async (query: string) =>
      (await ask(`/users/${id}/history?limit=1${query}`, 'sales')).json();
    const first = await pageOf('');
    const second = await pageOf(`&after=${first.next}`);
    expect([first.more, second.more]).to.deep.equal([true, false]);
    expect(second.changes).to.have.length(1);
  });

  it('changed, before and after: their order is the same whatever hidden members an object has', async () => {
    const orderOf = async (userName: string, hidden: object) => {
      const { id } = (
        await ask(post('/users', { userName, enterprise: { department: 'Sales' }, ...hidden }))
      ).json();
      await ask(merge(`/users/${id}`, { roles: ['a'], attributes: { desk: '1' }, name: { givenName: 'A' } }));
      const { changes } = (await ask(`/users/${id}/history?limit=1`, 'sales')).json() as unknown as {
        changes: readonly { changed: unknown; after: unknown }[];
      };
      return JSON.stringify(changes.map(({ changed, after }) => ({ changed, after })));
    };
    expect(await orderOf('nia', { attributes: { badge: 'topaz' }, name: { familyName: 'topaz' } })).to.equal(
      await orderOf('oli', {}),
    );
  });

  it('changes of members outside: neither feed, tag nor count has them', async () => {
    const { club, eve } = scene;
    const look = async () => {
      const one = await ask(`/groups/${club}`, 'sales');
      return [one.headers.get('etag'), one.text];
    };
    const [before, { next }] = [await look(), (await ask('/changes?since=now', 'sales')).json()];
    await ask(post(`/groups/${club}/members`, { remove: [eve] }));
    expect(await look()).to.deep.equal(before);
    await ask(post(`/groups/${club}/members`, { add: [eve] }));
    expect(await look()).to.deep.equal(before);
    expect((await ask(`/changes?since=${next}`, 'sales')).json().changes).to.deep.equal([]);
  });

  it('tags of SCIM: that of a group without its members stays when members outside change', async () => {
    const { club, eve } = scene;
    const tag = async () =>
      (await ask(`${scim}/Groups/${club}?excludedAttributes=members`, 'sales')).headers.get('etag');
    const before = await tag();
    await ask(post(`/groups/${club}/members`, { remove: [eve] }));
    await ask(post(`/groups/${club}/members`, { add: [eve] }));
    expect(await tag())
      .to.be.a('string')
      .and.equal(before);
  });

  it('queries by membership, if its profile has no groups', async () => {
    const { ada, club } = scene;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const asked = await ask({ method, path: `/groups/${club}/members/${ada}` }, 'people');
      const other = await ask({ method, path: `/groups/${nobody}/members/${ada}` }, 'people');
      expect([asked.status, told(asked, [club])]).to.deep.equal([404, told(other, [nobody])]);
    }
  });

  it('its own writes: a PUT keeps hidden members, and the answer does not show them', async () => {
    const { ada, club, eve } = scene;
    const seen = (await ask(`/users/${ada}`, 'sales')).json();
    const answer = await ask(put(`/users/${ada}`, { ...seen, displayName: 'Ada L.' }), 'sales');
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).not.to.match(/topaz/);
    const whole = (await ask(`/users/${ada}`)).json();
    expect(whole).to.include({ displayName: 'Ada L.', nickName: 'topaz' });
    expect(whole.attributes).to.deep.equal({ badge: 'topaz', desk: '1' });
    const replaced = await ask(
      put(`${scim}/Groups/${club}`, {
        schemas: [urns.group],
        displayName: 'Club',
        externalId: 'sales',
        members: [{ value: ada }],
      }),
      'sales',
    );
    expect(replaced.status, replaced.text).to.equal(200);
    expect(replaced.text).not.to.include(eve);
    expect((await ask(`/groups/${club}/members/${eve}`)).status).to.equal(204);
    expect((await ask(`/groups/${club}`)).json()).to.include({ memberCount: 2, description: 'topaz' });
  });

  it('deletions: they show only the groups inside of the profile', async () => {
    const { vault, club } = scene;
    const user = (
      await ask(post('/users', { userName: 'dot', nickName: 'topaz', enterprise: { department: 'Sales' } }))
    ).json().id;
    for (const group of [vault, club]) await ask(post(`/groups/${group}/members`, { add: [user] }));
    await ask(remove(`/users/${user}`));
    const history = await ask(`/users/${user}/history`, 'sales');
    expect(history.text).to.include(club).and.not.include(vault).and.not.match(/topaz/);
    const restored = await ask(post(`/users/${user}/restore`, {}), 'sales');
    expect(restored.status, restored.text).to.be.oneOf([200, 201]);
    expect(restored.text).not.to.match(/topaz/);
    expect((await ask(`/users/${user}`)).json().nickName).to.equal('topaz');
    expect((await ask(remove(`/users/${user}?erase=true`), 'sales')).status).to.equal(403);
    await ask(remove(`/users/${user}?erase=true`));
    expect((await ask(`/users/${user}/history`)).text).not.to.match(/topaz"|dot/);
  });

  it('a changed profile: cursors and tags from before the change are refused', async () => {
    const { ada } = scene;
    const tag = (await ask(`/users/${ada}`, 'sales')).headers.get('etag') ?? '';
    const cursor = (await ask('/changes?since=now', 'sales')).json().next;
    const later = await startService({ profiles: changed, basePath: base }, store);
    try {
      const held = await ask({ path: `/users/${ada}`, headers: { 'if-none-match': tag } }, 'sales', later);
      expect(held.status).to.equal(200);
      const feed = await ask(`/changes?since=${cursor}`, 'sales', later);
      expect([feed.status, feed.json().type]).to.deep.equal([410, `${base}/problems/cursor-foreign`]);
    } finally {
      // The store is that of the other service.
    }
  });

  it('credentials that name two profiles, or one that is gone', async () => {
    for (const granted of [
      ['users:read', 'as:sales', 'as:other'],
      ['users:read', 'as:gone'],
      ['users:read', 'as:'],
      ['users:read', 'as:SALES'],
    ]) {
      const headers = { authorization: `Bearer ${await aToken(granted)}` };
      const answer = await ask({ path: '/users', headers });
      expect(answer.status, granted.join(' ')).to.equal(403);
      expect(answer.text).not.to.match(/topaz/);
    }
    const headers = { authorization: `Bearer ${await aToken(['users:read', 'AS:sales'])}` };
    expect((await ask({ path: '/users', headers })).text).not.to.match(/topaz/);
  });
});
