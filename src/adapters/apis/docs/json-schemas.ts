/** Every schema that is published, as JSON Schema 2020-12. */
import { maxUserBytes, User, UserInput } from '../../../domain/user.ts';
import { Components } from '../../contracts/components.ts';
import { plain, requiredOf, type Schema } from '../../contracts/names.ts';
import { acceptedDocument, addNothing } from '../../contracts/request-schema.ts';
import { shownDocument } from '../../contracts/response-schema.ts';
import { ProblemDocument, problemNaming } from '../../http/problems.ts';
import { userNaming } from '../users/naming.ts';

const beyond =
  'Beyond this schema: a userName is one that RFC 8265 (UsernameCaseMapped) allows, at most one item of a list is primary, ' +
  `and the whole user takes at most ${maxUserBytes} bytes as JSON.`;

/** What only the service sets. */
const readOnly = Object.entries(User.properties).flatMap(([name, member]) =>
  plain(member).readOnly === true ? [name] : [],
);

/** Adds them all: `User`, `Users`, `UserInput`, `UserPatch`, `Problem` and what they are made of. */
export function addSchemas(to: Components): void {
  const user = shownDocument(User, userNaming, to, 'User');
  to.add('Users', {
    type: 'object',
    description: 'A list of users, in the order of their ids.',
    properties: {
      [userNaming.many]: { type: 'array', items: user },
    },
    required: [userNaming.many],
    ...to.xml({ name: userNaming.many, namespace: userNaming.namespace }),
  });
  addNothing(to);
  const input = { required: requiredOf(UserInput), ignored: readOnly };
  acceptedDocument(
    UserInput,
    { ...input, name: 'UserInput', description: `A user as a client sends it. ${beyond}` },
    to,
  );
  acceptedDocument(
    UserInput,
    {
      ...{ ...input, required: [], name: 'UserPatch' },
      description: `A JSON Merge Patch (RFC 7396): what it names is changed, what is null is removed. ${beyond}`,
    },
    to,
  );
  shownDocument(ProblemDocument, problemNaming, to, 'Problem');
}

/** `/schemas/user.json` */
export function jsonSchema(): Schema {
  const definitions = new Components('#/$defs/', false);
  addSchemas(definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${userNaming.namespace}:schema`,
    title: 'Users',
    description:
      'A user as the service shows it. $defs has more: Users, a list; UserInput and UserPatch, what it accepts; Problem, an error.',
    $ref: '#/$defs/User',
    $defs: definitions.all(),
  };
}
