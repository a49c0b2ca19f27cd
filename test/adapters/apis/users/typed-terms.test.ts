import { expect } from 'chai';
import { people } from '../../../support/people.ts';
import { startService, type TestService } from '../../../support/service.ts';

const spaced = /[\u3000-\u9fff\uac00-\ud7af]/u;

/** In scripts that write the family name first, the parts of a name stand in that order. */
const isFamilyFirst = (name: string): boolean => spaced.test(name);

function userOf(index: number) {
  const { name, phone, employeeNumber } = people[index] as (typeof people)[number];
  const parts = name.split('|');
  const [familyName, givenName] = isFamilyFirst(name) ? parts : parts.toReversed();
  return {
    userName: `u${index}`,
    displayName: parts.join(' '),
    name: { familyName, givenName },
    ...(phone !== undefined && { phoneNumbers: [{ value: phone }] }),
    ...(employeeNumber !== undefined && { enterprise: { employeeNumber } }),
  };
}

const pasted = [
  ...['@corning.example', '"kevin condon"', '(kevin', 'kevin*', '*kevin*', 'kevin)', '[kevin]'],
  ...['Kevin Condon <kevin.c@corning.example>', '"Condon, Kevin" <kevin.c@corning.example>;'],
  ...[
    'Condon<kevin.c@corning.example>',
    '<kevin.c@corning.example>',
    "'kevin'",
    '“Kevin” ‘Condon’',
    '«Kevin»',
  ],
  ...[
    '„Kevin“',
    '‹kevin›',
    '「kevin」',
    'kevin.c@corning.example.',
    'kevin.c@corning.example,',
    'Kevin!',
    'Kevin?',
  ],
  ...['mailto:kevin.c@corning.example', 'MAILTO:kevin.c@corning.example', 'SMTP:kevin.c@corning.example'],
  ...[
    'tel:+442079460018',
    'tel:+44-20-7946-0018',
    '"+44 20 7946 0018"',
    '(+44) 20 7946 0018',
    '+44 (0)20 7946-0018',
    '+44(0)2079460018',
    '+44 20 7946 0018.',
  ],
  ...['Kevin, C++', 'c++', '(C++)', '…kevin…', 'kevin:', 'kevin\u200b'],
];

describe('What people type for a name', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    for (const index of people.keys()) {
      const headers = { 'content-type': 'application/json' };
      const answer = await service.send('/users', {
        method: 'POST',
        headers,
        body: JSON.stringify(userOf(index)),
      });
      expect(answer.status, answer.text).to.equal(201);
    }
  });
  after(() => service.close());

  const isFound = async (index: number, term: string): Promise<boolean> => {
    const query = new URLSearchParams({ search: term });
    const { users } = (await service.send(`/users?${query}`)).json();
    return users.some(({ userName }) => userName === `u${index}`);
  };

  it('finds it in pasted quotes, brackets, addresses, links and sentences', async () => {
    const [headers, method] = [{ 'content-type': 'application/json' }, 'POST'];
    const create = (path: string, document: object) =>
      service.send(path, { method, headers, body: JSON.stringify(document) });
    await create('/users', {
      ...{ userName: 'kevin', displayName: 'Kevin Condon', title: 'C++ Developer (backend)' },
      ...{ emails: [{ value: 'kevin.c@corning.example' }], phoneNumbers: [{ value: '+44 20 7946 0018' }] },
    });
    await create('/groups', { displayName: 'R&D (Berlin)', description: 'See “Corning”' });
    for (const term of pasted) {
      const query = new URLSearchParams({ search: term });
      const { users } = (await service.send(`/users?${query}`)).json();
      expect(
        users.map(({ userName }) => userName),
        term,
      ).to.deep.equal(['kevin']);
    }
    for (const term of ['"R&D', '(R&D)', '“Berlin”', 'berlin.', 'R&D*', 'Corning”', '<corning>']) {
      const { groups } = (await service.send(`/groups?${new URLSearchParams({ search: term })}`)).json();
      expect(groups, term).to.have.length(1);
    }
  });

  const typed = people.flatMap((person) => person.typed);
  const missed = people.flatMap((person) => Object.keys(person.missed ?? {}));

  for (const [index, person] of people.entries())
    it(`finds it: ${person.name.replace('|', ' ')} by ${person.typed.join(' · ')}`, async () => {
      for (const term of person.typed) expect(await isFound(index, term), term).to.equal(true);
    });

  it(`finds ${typed.length} of ${typed.length + missed.length}; the others are missed for known reasons`, async () => {
    for (const [index, person] of people.entries())
      for (const [term, reason] of Object.entries(person.missed ?? {}))
        expect(await isFound(index, term), `${term}: ${reason}`).to.equal(false);
    expect(typed.length).to.be.at.least(133);
  });
});
