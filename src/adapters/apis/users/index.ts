/** `/users`: the directory, in every format; what only its API knows. `../resources/parameters.ts` reads the parameters of its list. */
import { maxUserBytes, type UserInput } from '../../../domain/kinds/user/user.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import { defineResource, type ResourceDefinition } from '../resources/definition.ts';
import { resourceApi } from '../resources/index.ts';
import type { ResourceServiceParts } from '../resources/service.ts';

const example: UserInput = {
  userName: 'ada',
  externalId: 'hr-1815',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  displayName: 'Ada Lovelace',
  profileUrl: 'https://people.example.com/ada',
  preferredLanguage: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  entitlements: [{ value: 'engine-room', display: 'Engine room' }],
  roles: ['engineer'],
  enterprise: {
    employeeNumber: '1815',
    department: 'Analytical engines',
    manager: { value: '019b7c5a-3f6e-7b21-9d0c-5a7e8f902431', displayName: 'Charles Babbage' },
  },
  attributes: { floor: '2' },
};

export const defineUsers = (kinds: Kinds): ResourceDefinition =>
  defineResource({
    kind: kinds.of('user'),
    texts: {
      example,
      // An empty string removes a member in both formats; null does so in JSON only.
      patchExample: { title: 'Countess', nickName: '' },
      inputRules:
        'Rules beyond this schema: RFC 8265 (UsernameCaseMapped) limits the characters of `userName`, at most one item of a list is `primary`, ' +
        `no role stands twice, and a whole user takes at most ${maxUserBytes} bytes as JSON.\n\n` +
        'The service also accepts `null`, or an empty text, list or object, in place of any optional value or list item. Each means the same as leaving the value out.',
      about: {
        create:
          "With an `id` of the client's choice (a UUID) the request is safe to repeat: the second one gets 409. Leave out `If-Match` and `If-None-Match`: preconditions are evaluated against the list, so a tag in the first, or `*` in the second, gets 412.",
        replace:
          'Members that the body omits are removed, except `active`, which stays. An `id` must be that of the path; `meta` is ignored.',
        patch:
          'JSON Merge Patch (RFC 7396), or a partial `<user>` by the same rules: an empty element, or one with `xsi:nil="true"`, removes the member. Lists are replaced as a whole.',
      },
      nameRule: 'Case, width and normalisation make no difference (RFC 8265).',
    },
  });

/** The lines about users at the head of the XML Schema. */
export const aboutUserXsd: readonly string[] = [
  'The service accepts more than this: a document without a namespace, an empty element or one with xsi:nil="true", which mean that the value is absent, an id in capitals, and in a PATCH a user of which only what changes is there. None of them validates here.',
  'It also keeps to rules that XML Schema 1.0 cannot say: what RFC 8265 lets stand in a userName, one primary item in a list at most, no element that holds nothing, and the size of the whole.',
  "Lengths count characters, as XML Schema says. Java's validator counts one beyond U+FFFF as two, unless its system property com.sun.org.apache.xerces.internal.impl.dv.xs.useCodePointCountForStringLength is true.",
];

/** In bytes after decoding: more than any user in XML and UTF-16. */
export const maxUserBodyBytes = 256 * 1024;

export const usersApi = (parts: ResourceServiceParts): DescribedApi =>
  resourceApi({ ...parts, description: 'The directory.', maxBodyBytes: maxUserBodyBytes });
