/** Okta's import: it reads all users, a hundred at a time, by `startIndex`. */
import { type Exchange, listAnswer, type Members, resource } from './exchanges.ts';
import { okta } from './okta-requests.ts';

/** In a page. */
const pageSize = 100;

/** The n-th of the users that the old XML client has written: what it sends, and what Okta is to read. */
export function importedUser(n: number) {
  const who = `user${n}`;
  const isActive = n % 7 !== 0;
  const email = { value: `person.${n}@legacy.example`, type: 'work', primary: true };
  const sent = [
    `<userName>person.${n}@legacy.example</userName><externalId>00${n}</externalId>`,
    `<name><familyName>Nº ${n} &amp; &lt;co&gt;</familyName><givenName>Person</givenName></name>`,
    `<active>${isActive}</active><emails><email><value>${email.value}</value><type>work</type>`,
    '<primary>true</primary></email></emails><roles><role>reader</role></roles>',
  ].join('');
  const read = resource(who, 1, {
    userName: email.value,
    externalId: `00${n}`,
    name: { familyName: `Nº ${n} & <co>`, givenName: 'Person' },
    active: isActive,
    emails: [email],
    roles: [{ value: 'reader' }],
  });
  return { who, sent, read };
}

/** @param resources all of them, in the order of their ids */
export function* importExchanges(resources: readonly Members[]): Generator<Exchange> {
  const totalResults = resources.length;
  const page = (startIndex: number): Exchange =>
    okta(
      `reads the page from ${startIndex} on`,
      { method: 'GET', path: `/Users?startIndex=${startIndex}&count=${pageSize}` },
      listAnswer(resources.slice(startIndex - 1, startIndex - 1 + pageSize), {
        startIndex,
        totalResults,
      }),
    );
  for (let startIndex = 1; startIndex <= totalResults; startIndex += pageSize) yield page(startIndex);
  // Another order than before would show here.
  yield page(totalResults - pageSize + 1);
  yield page(totalResults + 1);
}
