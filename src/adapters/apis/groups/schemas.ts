/** The XML Schemas and the JSON Schema of groups, for client generators. In its own module, which is imported on demand. */
import { Group } from '../../../domain/kinds/group/group.ts';
import { jsonSchema } from '../../contracts/json-schema.ts';
import { xsd } from '../../contracts/xsd.ts';
import type { DescribedApi } from '../../http/core/api.ts';
import { groupDefinition, groupNaming, Members, membersInput } from './documents.ts';

const growth =
  'Later releases may add optional elements without another namespace: ignore elements that you do not know, and do not validate what you receive against an old copy of this file.';

/** `/schemas/group.xsd` */
export const groupXsd = (): string =>
  xsd({
    schema: Group,
    naming: groupNaming,
    required: ['displayName'],
    hasList: true,
    hasTotal: true,
    about: [
      'The documents that the service writes, and those that a client should send. Documents of the service always have id, memberCount and meta; a client may leave them out.',
      growth,
    ],
  });

/** `/schemas/members.xsd` */
export const membersXsd = (): string =>
  xsd({
    schema: Members,
    naming: membersInput.naming,
    required: [],
    hasList: false,
    hasTotal: false,
    about: ['The body of POST /groups/{id}/members.', growth],
  });

/** `/schemas/group.json` */
export const groupJsonSchema = (api: DescribedApi): string =>
  JSON.stringify(
    jsonSchema({
      api,
      $id: `${groupNaming.namespace}:groups`,
      title: 'Groups',
      description:
        'A group as the service shows it. $defs has more: Groups, a list; GroupInput, GroupPatch and Members, the documents that it accepts; Problem, an error.',
      of: groupDefinition.document,
    }),
    null,
    2,
  );
