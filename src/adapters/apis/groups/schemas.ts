/** The XML Schema of a change of members. In its own module, which is imported on demand. */
import { xsd } from '../../contracts/xsd.ts';
import { growth } from '../resources/schemas.ts';
import { Members, membersInput } from './documents.ts';

export const membersXsd = (): string =>
  xsd({
    schema: Members,
    naming: membersInput.naming,
    required: [],
    hasList: false,
    hasTotal: false,
    about: ['The body of POST /groups/{id}/members.', growth],
  });
