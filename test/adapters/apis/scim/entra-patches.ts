/** Every PATCH that Microsoft Entra ID is known to send, one after the other to the same user, and what the user is after each. */

import type { Step } from './entra-patch-steps.ts';
import { referenceSteps, removalSteps } from './entra-patches-of-references.ts';
import { listSteps, textSteps } from './entra-patches-of-values.ts';
import { entra } from './entra-requests.ts';
import {
  core,
  type Exchange,
  enterprise,
  type Members,
  patchBody,
  refusalAnswer,
  userAnswer,
  userXml,
} from './exchanges.ts';

/** Erin, before the first. */
const erin = {
  externalId: 'b1f7c0de-5d1c-4c38-9a51-3a0f3b7e6c11',
  userName: 'erin@entra.example',
  active: true,
  displayName: 'Erin',
  emails: [{ primary: true, type: 'work', value: 'erin@entra.example' }],
  name: { familyName: 'Example', givenName: 'Erin' },
};

const everyStep: readonly Step[] = [...textSteps, ...listSteps, ...referenceSteps, ...removalSteps];

const path = '/Users/{{id erin}}';

const made = (who: string, members: Members): Exchange =>
  entra(
    `makes ${who}`,
    { method: 'POST', path: '/Users', body: { schemas: [core, enterprise], ...members } },
    userAnswer(201, who, 1, members),
  );

/** Without what is undefined, at any depth. */
const plain = (members: Members): Members => JSON.parse(JSON.stringify(members)) as Members;

function* play(): Generator<Exchange> {
  yield made('frank', { userName: 'frank@entra.example', active: true });
  yield made('grete', { userName: 'grete@entra.example', active: true });
  yield made('erin', erin);
  let members: Members = erin;
  let count = 1;
  for (const { title, operations, makes, refused } of everyStep) {
    const sent = { method: 'PATCH', path, body: patchBody(...operations) } as const;
    if (refused === undefined) {
      members = plain({ ...members, ...makes });
      count += 1;
      yield entra(title, sent, userAnswer(200, 'erin', count, members));
    } else {
      const [words, scimType] = refused;
      yield entra(title, sent, refusalAnswer(400, words, scimType));
      yield entra(
        `reads the user unchanged: it ${title}`,
        { method: 'GET', path },
        userAnswer(200, 'erin', count, members),
      );
    }
  }
  yield entra(
    'reads the user as it was left',
    { method: 'GET', path },
    userAnswer(200, 'erin', count, members),
  );
}

export const entraPatches: readonly Exchange[] = [...play()];

/** What the old XML client reads in the end. */
export const patchedUserInXml: string = userXml('erin', 1 + everyStep.filter(({ makes }) => makes).length, [
  '<userName>erin@entra.example</userName><externalId>0d4f11ab</externalId>',
  '<name><familyName>Byrne</familyName><givenName>Erin</givenName></name>',
  '<displayName>Erin Example</displayName><active>false</active><emails><email>',
  '<value>erin@work.example</value><type>work</type><primary>true</primary></email><email>',
  '<value>erin@home.example</value><display>At home</display><type>home</type><primary>false</primary></email>',
  '</emails><phoneNumbers><phoneNumber><value>+353 1 0000000</value><type>work</type></phoneNumber>',
  '</phoneNumbers><addresses><address><streetAddress>18 Main Street</streetAddress><locality>Dublin</locality>',
  '<region>L</region><postalCode>D02</postalCode><country>IE</country><type>work</type></address></addresses>',
]);
