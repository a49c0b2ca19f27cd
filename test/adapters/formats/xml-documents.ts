/** What the tests of XML read, and what they write around it. */

import { expect } from 'chai';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';

export const codec = xml.codec<User>(User, naming);
export const read = (text: string) => runToEnd(codec.read(Buffer.from(text, 'utf8')));
export const ours = 'xmlns="urn:user-management:1"';
export const inUser = (inside: string, attributes = ours) => `<user ${attributes}>${inside}</user>`;
/** What `inside` says of a user, where nothing is wrong with it. */
export const valueIn = (inside: string, attributes = ours): unknown => {
  const { value, violations } = read(inUser(inside, attributes));
  expect(violations).to.deep.equal([]);
  return value;
};
export const violationsOf = (text: string) => read(text).violations;
