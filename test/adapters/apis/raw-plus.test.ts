import { expect } from 'chai';
import { type Directory, openDirectory } from './changes/directory.ts';

const [spaced, plus] = ['R D', 'R+D'];

/** A program that encodes no plus sends `R+D` for R+D; a form sends it for R D. */
describe('A raw + in a query', () => {
  let directory: Directory;
  before(async () => {
    directory = await openDirectory();
    await directory.write('POST', '/users', {
      ...{ userName: 'user+tag@example.org', emails: [{ value: 'user+tag@example.org' }] },
      ...{ externalId: plus, roles: [plus], userType: plus, enterprise: { department: plus } },
    });
    await directory.write('POST', '/users', {
      ...{ userName: 'of-words', externalId: spaced, roles: [spaced], userType: spaced },
      enterprise: { department: spaced },
    });
    for (const displayName of [plus, spaced])
      await directory.write('POST', '/groups', { displayName, externalId: displayName }, displayName);
  });
  after(() => directory.close());

  const send = (at: string) => directory.send(at);
  const valuesOf = async (at: string, member: string): Promise<readonly unknown[]> => {
    const { status, text } = await send(at);
    expect(status, `${at}: ${text}`).to.equal(200);
    const body = JSON.parse(text);
    const found: readonly Record<string, unknown>[] =
      body.users ?? body.groups ?? body.changes ?? body.Resources;
    return found.map((one) => one[member]).toSorted();
  };

  for (const at of [
    '/users?email=user+tag@example.org',
    '/users?userName=user+tag@example.org',
    '/users?email=%20user%2Btag@example.org',
    '/users?email=user%2Btag@example.org%20',
    '/users?userName=of-words%09',
    '/users?userName=of%E3%80%80words',
  ])
    it(`is refused, like a space, where no value has a space: ${at}`, async () => {
      const { status, text } = await send(at);
      expect(status).to.equal(400);
      expect(JSON.parse(text).detail).to.match(
        /^(email|userName) must have no spaces; encode a \+ as %2B\.$/,
      );
    });

  for (const [at, member] of [
    ['/users?externalId=', 'externalId'],
    ['/users?role=', 'externalId'],
    ['/users?department=', 'externalId'],
    ['/users?userType=', 'externalId'],
    ['/groups?displayName=', 'displayName'],
    ['/groups?externalId=', 'displayName'],
  ] as const)
    it(`finds values with a space and values with a plus; an encoded character finds only itself: ${at}`, async () => {
      expect(await valuesOf(`${at}R+D`, member)).to.deep.equal([spaced, plus]);
      expect(await valuesOf(`${at}R%20D`, member)).to.deep.equal([spaced]);
      expect(await valuesOf(`${at}R%2BD`, member)).to.deep.equal([plus]);
    });

  it('is read in both ways in each form of a filter: .in finds both values, and .not excludes both', async () => {
    expect(await valuesOf('/users?role.in=R+D', 'externalId')).to.deep.equal([spaced, plus]);
    expect(await valuesOf('/users?role.in=R%20D&role.in=none+x', 'externalId')).to.deep.equal([spaced]);
    expect(await valuesOf('/users?role.not=R+D', 'externalId')).to.deep.equal([]);
    expect(await valuesOf('/users?role.not=R%2BD', 'externalId')).to.deep.equal([spaced]);
  });

  it('works in several filters at once', async () => {
    expect(await valuesOf('/users?role=R+D&externalId=R+D&active=true', 'externalId')).to.deep.equal([
      spaced,
      plus,
    ]);
    expect(await valuesOf('/users?role=R+D&externalId=R%2BD', 'externalId')).to.deep.equal([plus]);
    expect(await valuesOf('/users?role=R+D&search=of-words', 'externalId')).to.deep.equal([spaced]);
    const { total } = JSON.parse((await send('/users?role=R+D&total=true&limit=1')).text);
    expect(total).to.equal(2);
  });

  for (const [query, names] of [
    ['role=R+D', [spaced, plus]],
    ['role=R%20D', [spaced]],
    ['role=R%2BD', [plus]],
    ['search=of+words', [spaced]],
    ['role.in=none&role.in=R+D', [spaced, plus]],
    ['role.in=R%2BD&role.in=R%20D&role.not=R%2BD', [spaced]],
    ['role.not=R+D', []],
  ] as const)
    it(`means the same on each page: ${query}`, async () => {
      const walked: unknown[] = [];
      for (let at: string | undefined = `/users?${query}&limit=1&sort=-userName`; at !== undefined; ) {
        const answer = await send(at);
        walked.push(...JSON.parse(answer.text).users.map((user: { externalId: string }) => user.externalId));
        at = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(walked.toSorted()).to.deep.equal(names);
    });

  it("is part of a cursor's list: the cursor does not work for another list", async () => {
    const first = await send('/users?role=R+D&limit=1');
    const [, after] = /after=([\w-]+)/.exec(first.headers.get('link') ?? '') ?? [];
    expect((await send(`/users?role=R+D&limit=1&after=${after}`)).status).to.equal(200);
    expect((await send(`/users?role=R%2BD&limit=1&after=${after}`)).status).to.equal(400);
  });

  it('in the name of an author stands for a plus or a space, in the history and in the changes', async () => {
    for (const at of ['/history?type=group.created&', '/changes?since=start&type=group.created&']) {
      expect(await valuesOf(`${at}by=R+D`, 'label'), at).to.have.length(2);
      expect(await valuesOf(`${at}by=R%20D`, 'label')).to.have.length(1);
      expect(await valuesOf(`${at}by=R%2BD`, 'label')).to.have.length(1);
      expect(await valuesOf(`${at}notBy=R+D`, 'label')).to.deep.equal([]);
    }
  });

  for (const [filter, names] of [
    ['externalId%20eq%20%22R+D%22', [plus]],
    ['externalId%20eq%20%22R%2BD%22', [plus]],
    ['externalId+eq+%22R%2BD%22', [plus]],
    ['externalId+eq+%22R+D%22', [spaced, plus]],
    ['externalId+ne+%22R+D%22', [plus]],
    ['externalId+sw+%22R+%22', [spaced, plus]],
    ['externalId%20eq%20"R+D"%20or%20externalId%20eq%20"R%20D"', [spaced, plus]],
    ['userName%20eq%20%22user+tag@example.org%22', [plus]],
    ['emails.value%20eq%20%22user+tag@example.org%22', [plus]],
    ['emails%5Bvalue%20eq%20%22user+tag@example.org%22%5D', [plus]],
    ['userName%20sw%20%22user+%22', [plus]],
    ['userName+eq+%22user+tag@example.org%22', [plus]],
    ['emails[value+co+"user+tag"]', [plus]],
    ['active+eq+true+and+not+(userName+eq+"user+tag@example.org")', [spaced]],
    ['userName+eq+%22of-words%22+and+active+eq+true', [spaced]],
    ['userName+eq+%22of-words%22&attributes=externalId', [spaced]],
  ] as const)
    it(`in a SCIM filter is a plus if the filter’s spaces are encoded, otherwise a plus or a space: ${filter}`, async () => {
      expect(await valuesOf(`/scim/v2/Users?filter=${filter}`, 'externalId')).to.deep.equal(names);
      expect(await valuesOf(`/scim/v2/Users?count=5&Filter=${filter}`, 'externalId')).to.deep.equal(names);
    });
});
