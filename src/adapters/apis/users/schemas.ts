/** A user's XML Schema and JSON Schema, for client generators. In its own module, which is imported on demand. */
import { User, UserInput } from '../../../domain/kinds/user/user.ts';
import { jsonSchema } from '../../contracts/json-schema.ts';
import { requiredOf } from '../../contracts/names.ts';
import { xsd } from '../../contracts/xsd.ts';
import type { DescribedApi } from '../../http/core/api.ts';
import { userDocument, userNaming } from './documents.ts';

/** `/schemas/user.xsd` */
export const userXsd = (): string =>
  xsd({
    schema: User,
    naming: userNaming,
    required: requiredOf(User).filter((name) => requiredOf(UserInput).includes(name)),
    hasList: true,
    hasTotal: true,
    about: [
      'The documents that the service writes, and that a client does best to send. What the service writes always has id, active and meta; a client may leave them out.',
      'The service accepts more than this: a document without a namespace, an empty element or one with xsi:nil="true", which mean that the value is absent, an id in capitals, and in a PATCH a user of which only what changes is there. None of them validates here.',
      'It also keeps to rules that XML Schema 1.0 cannot say: what RFC 8265 lets stand in a userName, one primary item in a list at most, no element that holds nothing, and the size of the whole.',
      "Lengths count characters, as XML Schema says. Java's validator counts one beyond U+FFFF as two, unless its system property com.sun.org.apache.xerces.internal.impl.dv.xs.useCodePointCountForStringLength is true.",
      'Further optional elements may be added without another namespace: ignore what you do not know, and do not validate what you receive against an old copy of this file.',
    ],
  });

/** `/schemas/user.json` */
export const userJsonSchema = (api: DescribedApi): string =>
  JSON.stringify(
    jsonSchema({
      api,
      $id: `${userNaming.namespace}:schema`,
      title: 'Users',
      description:
        'A user as the service shows it. $defs has more: Users, a list; UserInput and UserPatch, what it accepts; Problem, an error.',
      of: userDocument,
    }),
    null,
    2,
  );
