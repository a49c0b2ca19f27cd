import { expect } from 'chai';
import { parseProfiles } from '../../src/config/profile-file.ts';
import type { Access } from '../../src/domain/find/access.ts';
import { matchAll, matchNone } from '../../src/domain/find/conditions.ts';
import { type Kinds, kindsOf } from '../../src/domain/kinds.ts';
import { declarations } from '../support/declared.ts';
import { kinds } from '../support/kinds.ts';

const parse = (profiles: unknown, of: Kinds = kinds) => parseProfiles(of, JSON.stringify({ profiles }));

function read(rules: object, of?: Kinds): Access {
  const found = parse({ clerk: rules }, of);
  expect(found).to.be.instanceOf(Map);
  return (found as ReadonlyMap<string, Access>).get('clerk') as Access;
}

/** The lines about one profile, without its name. */
const faultsOf = (rules: unknown, of?: Kinds): readonly string[] =>
  (parse({ clerk: rules }, of) as readonly string[]).map((line) => line.replace('profiles.clerk.', ''));

const whereOf = (where: object, of?: Kinds) => read({ users: { where, read: '*' } }, of).of('user').where;

const faultsOfFilter = (where: unknown, of?: Kinds) => faultsOf({ users: { where, read: '*' } }, of);

describe('A file of access profiles', () => {
  it('is JSON5, with comments and a byte order mark', () => {
    const text = "\ufeff// For phones\n{ profiles: { phonebook: { users: { read: ['userName'], }, }, }, }";
    const found = parseProfiles(kinds, text);
    expect(found).to.be.instanceOf(Map);
    const access = (found as ReadonlyMap<string, Access>).get('phonebook');
    expect(access?.profile).to.equal('phonebook');
    expect(access?.of('user').where).to.equal(matchAll);
    expect(access?.of('user').shows(['title'])).to.equal('none');
  });

  it('prepares the checks of members once for all profiles that differ in their filters alone', () => {
    const users = (department: string, write: readonly string[]) => ({
      users: { where: { department }, read: '*', except: ['roles'], write },
    });
    const file = {
      sales: users('Sales', ['title']),
      support: users('Support', ['title']),
      hr: users('HR', []),
    };
    const found = parse(file) as ReadonlyMap<string, Access>;
    const [sales, support, hr] = [...found.values()].map((access) => kinds.of('user').builderFor({ access }));
    expect(support).to.equal(sales);
    expect(hr).not.to.equal(sales);
  });

  it('shows no resources of a kind that a profile leaves out', () => {
    const access = read({ users: { read: '*' } });
    expect(access.of('group').where).to.equal(matchNone);
    expect(read({}).of('user').where).to.equal(matchNone);
  });

  it('filters as lists do: by a value, one of several, absence, exclusion and ranges, all of which must hold', () => {
    const department = { filter: 'department', key: 'sales' };
    expect(whereOf({ department: 'Sales' })).to.deep.equal(department);
    expect(whereOf({ department: ['Sales', 'R&D+1 é'] })).to.deep.equal({
      any: [{ filter: 'department', key: 'r&d+1 e' }, department],
    });
    expect(whereOf({ 'department.in': ['Sales'] })).to.deep.equal(department);
    expect(whereOf({ 'department.not': 'Sales' })).to.deep.equal({ not: department });
    expect(whereOf({ 'department.exists': false })).to.deep.equal({ not: { exists: 'department' } });
    expect(whereOf({ active: true })).to.deep.equal({ filter: 'active', key: 'true' });
    expect(whereOf({ employeeNumber: 42 })).to.deep.equal({ filter: 'employeeNumber', key: '42' });
    const from = '2024-01-01T00:00:00Z';
    expect(whereOf({ 'created.from': from, 'created.to': '2025-01-01T00:00:00Z' })).to.deep.equal({
      sort: 'created',
      from: '2024-01-01t00:00:00.000z',
      to: '2025-01-01t00:00:00.000z',
    });
    expect(whereOf({ active: true, department: 'Sales' })).to.deep.equal({
      all: [department, { filter: 'active', key: 'true' }].sort((one, other) =>
        JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
      ),
    });
  });

  it('applies both filters when two forms name the same field', () => {
    expect(whereOf({ department: ['Sales'], 'department.in': ['R&D'] }))
      .to.have.property('all')
      .with.lengthOf(2);
  });

  it('knows the attributes that the installation declares, in filters and as members', () => {
    const declared = kindsOf(declarations);
    const where = { 'attributes.level': ['junior', 'senior'], 'attributes.hired.from': '2024-01-01' };
    expect(whereOf(where, declared)).to.have.property('all').with.lengthOf(2);
    expect(faultsOfFilter({ 'attributes.hired.from': 'May' }, declared)).to.have.length(1);
    expect(faultsOfFilter({ 'attributes.levle': 'senior' }, declared)).to.deep.equal([
      'users.where: attributes.levle is no filter for the fields of users (perhaps attributes.level)',
    ]);
    expect(
      read({ users: { read: ['attributes.badge'] } }, declared)
        .of('user')
        .shows(['attributes']),
    ).to.equal('part');
  });

  it('has the same marks for the same rules, in any order of members, and others after any change', () => {
    const users = { where: { department: 'Sales', active: true }, read: ['title'], create: false };
    const marks = (rules: object) => {
      const access = read({ users: rules });
      return { whole: access.mark, filter: access.of('user').filterMark };
    };
    const mark = marks(users);
    expect([mark.whole, mark.filter].join()).to.match(/^[\w-]{10},[\w-]{10}$/);
    expect(
      marks({ create: false, read: ['title'], where: { active: true, department: 'sales' } }),
    ).to.deep.equal(mark);
    const wider = marks({ ...users, read: ['title', 'name'] });
    expect(wider.filter).to.equal(mark.filter);
    expect(wider.whole).to.not.equal(mark.whole);
    expect(marks({ ...users, where: { active: true } }).filter).to.not.equal(mark.filter);
    expect(marks({ read: '*' }).filter).to.equal(undefined);
  });

  it('is refused with a line for each mistake, which names profile, kind and place', () => {
    const users = {
      where: { rol: 'x', active: 'maybe', department: ['Sales'] },
      read: ['usrName', 'emails.value'],
      except: ['enterprise.departmnt'],
      write: ['titel'],
    };
    const groups = { read: '*', where: { displayNam: 'x' } };
    expect(parse({ clerk: { users }, guest: { groups } })).to.deep.equal([
      'profiles.clerk.users.where: rol is no filter for the fields of users (perhaps role)',
      'profiles.clerk.users.where: active must be true or false.',
      'profiles.clerk.users.read: a user has no member usrName (perhaps userName)',
      'profiles.clerk.users.read: emails is a list: name it as a whole',
      'profiles.clerk.users.except: a user has no member enterprise.departmnt (perhaps enterprise.department)',
      'profiles.clerk.users.write: a user has no member titel (perhaps title)',
      'profiles.guest.groups.where: displayNam is no filter for the fields of groups (perhaps displayName)',
    ]);
  });

  const misshaped: readonly [string, unknown, readonly string[]][] = [
    ['another kind', { user: { read: '*' } }, ['user: must not stand here (perhaps users)']],
    [
      'another member',
      { users: { read: '*', delte: true } },
      ['users.delte: must not stand here (perhaps delete)'],
    ],
    ['no visible members', { users: {} }, ['users.read: is required']],
    ['all in other words', { users: { read: 'all' } }, ["users.read: must be '*' or a list of names"]],
    [
      'texts for flags',
      { users: { read: '*', create: 'yes' } },
      ['users.create: must be true or false, in lower case and without quotes'],
    ],
    ['no profile', [], ['profiles.clerk: must be an object with members such as users']],
  ];
  for (const [what, rules, lines] of misshaped)
    it(`is refused with the place of a mistake in its form: ${what}`, () => {
      expect(
        (parse({ clerk: rules }) as readonly string[]).map((line) => line.replace('profiles.clerk.', '')),
      ).to.deep.equal(lines);
    });

  it('is refused with a filter that would be left out or match nothing: an empty one, an empty list, no value', () => {
    for (const where of [
      {},
      { department: [] },
      { department: null },
      { department: '' },
      { department: [''] },
    ])
      expect(faultsOfFilter(where), JSON.stringify(where)).to.have.length(1);
    const from = '2025-01-01T00:00:00Z';
    expect(faultsOfFilter({ 'created.from': from, 'created.to': '2024-01-01T00:00:00Z' })).to.deep.equal([
      'users.where: created.from must not be after created.to.',
    ]);
  });

  it('is refused if it filters by anything but fields: memberships, a search, an order, a page', () => {
    for (const name of ['group', 'group.in', 'group.exists', 'search', 'sort', 'limit', 'after', 'total'])
      expect(faultsOfFilter({ [name]: 'x' })).to.deep.equal([
        `users.where: ${name} is no filter for the fields of users`,
      ]);
    expect(faultsOf({ groups: { read: '*', where: { member: 'x' } } })).to.deep.equal([
      'groups.where: member is no filter for the fields of groups',
    ]);
  });

  it('has profiles of up to 64 lower-case letters, digits and hyphens, since their names are in scopes', () => {
    expect(parse({ [`a-0${'b'.repeat(61)}`]: {} })).to.be.instanceOf(Map);
    for (const name of ['', 'Sales', 'a b', 'a:b', 'ä', 'a'.repeat(65)])
      expect(parse({ [name]: {} })).to.deep.equal([
        `profiles.${name}: must have a name of up to 64 lower-case letters, digits and -`,
      ]);
  });

  it('may have no profiles, but must have the member profiles', () => {
    expect(parse({})).to.have.property('size', 0);
    expect(parseProfiles(kinds, '{}')).to.deep.equal(['profiles: is required']);
    expect(parseProfiles(kinds, '[]')).to.deep.equal(['the file: must be an object with profiles']);
    expect(() => parseProfiles(kinds, '{ profiles: ')).to.throw(SyntaxError);
  });
});
