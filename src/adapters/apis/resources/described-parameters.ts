/** The query parameters of a list, for OpenAPI. */

import { maxSearchLength, maxTerms } from '../../../domain/find/search.ts';
import { findAnnotatedFields } from '../../../domain/resource/annotations.ts';
import { scopeOf } from '../../../domain/scopes.ts';
import type { AttributeTypeName } from '../../../domain/validation/attribute-types.ts';
import { textPattern } from '../../contracts/body-schemas.ts';
import { capitalize } from '../../contracts/names.ts';
import type { Parameter } from '../../http/pipeline/api.ts';
import { cursorLengths } from './cursor.ts';
import type { ResourceDefinition } from './definition.ts';
import {
  type FilterParameter,
  filterParametersOf,
  ListParameters,
  maxLimit,
  maxLinkLength,
  maxValues,
  type RangeParameter,
  rangeParametersOf,
} from './parameters.ts';

export const listDescriptionOf = (definition: ResourceDefinition): string => {
  const { name: one, plural: many } = definition.kind;
  return [
    `All ${many}, or with \`limit\` a page of them. Filters are exact; they, \`search\` and \`sort\` go together in any way. Each filter has three more forms: \`.in\` takes several values, \`.exists\` finds ${many} with or without a value, \`.not\` excludes a value. A parameter that is unknown or malformed is refused, and so is one that occurs twice, except \`.in\`. Encode a \`+\` as \`%2B\`: forms send a space as \`+\`, so in the value of a filter \`R+D\` finds \`R D\` and \`R+D\`, and where no value has a space it is refused.`,
    `\`Link\` leads from page to page: \`next\` where more ${many} follow, \`prev\` from each page but the first, \`first\` and \`last\` from each page, also from one that is empty. \`last\` ends with the last ${one}, so its pages are counted from the end. Links that would be longer than ${maxLinkLength} characters together are left out from the end of this list, since proxies refuse long headers; the first always remains.`,
    `In the order of the ids, a ${one} that is there throughout a walk from page to page is met exactly once. In any other order a ${one} whose key changes meanwhile may be met twice or missed, when it moves across the place that the walk has come to; others are met exactly once.`,
    '`sort` compares texts as `search` folds them, by code point: `Østby` as `ostby`. The order is stable and the same everywhere; it is no locale’s collation.',
  ].join('\n\n');
};

const cursorPattern = (shortest: number): string => `^[A-Za-z0-9_-]{${shortest},${cursorLengths.longest}}$`;

const paging: Readonly<Record<string, Parameter>> = {
  limit: {
    description: 'The maximum number of items on a page. Without it the response has all of them.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit },
  },
  after: {
    description:
      'The start of the page: a cursor from a `Link` of the same list, with the same filters, search and order. Requires `limit`.',
    schema: { type: 'string', pattern: cursorPattern(cursorLengths.id) },
  },
  before: {
    description:
      'The end of the page: a cursor from a `Link` of the same list. The page has the items directly in front of it, in the order of the list. Requires `limit`; excludes `after`.',
    schema: { type: 'string', pattern: cursorPattern(cursorLengths.end) },
  },
  total: {
    description:
      'Adds the exact number of matches at the time of the read: the member `total` in JSON, an attribute of the list in XML. `true` is the only value.',
    schema: { type: 'boolean', enum: [true] },
  },
};

const folding =
  "Texts are compared as folded: compatibility forms, case and marks make no difference (`zoe` finds `Zoë`), nor do letters without a decomposition (`soren` finds `Søren`, `isik` `Işık`, `thor` `Þór`), typographic apostrophes and hyphens (`o'brien` finds `O’Brien`), Hiragana and Katakana, Arabic ه and ة, ی, ي and ى.";

const phones =
  ' A phone number is found by its first digits, with or without `+` or `00`, or by its last four or more, which may be typed with spaces and with a zero in front.';

function findingIn(definition: ResourceDefinition): Readonly<Record<string, Parameter>> {
  const fields = findAnnotatedFields(definition.kind.schema, 'search');
  const searched = fields.map(({ path }) => path.join('.')).join(', ');
  const many = definition.kind.plural;
  const hasPhones = fields.some(({ annotation }) => annotation === 'phone');
  return {
    search: {
      description: `Only ${many} that have, for each of up to ${maxTerms} terms, separated by white space, a word that begins with it. Searched are ${searched}, and no other field; some of the others have filters. ${folding} A word begins behind white space, and within it at each run of letters and digits; a term may go on past punctuation, as \`ada@exa\` does. In scripts without spaces (such as Han or Thai), and in Hangul, a term is found anywhere. Names are also found as they are typed without special keys (\`mueller\` finds \`Müller\`, \`oneill\` \`O’Neill\`, \`annesophie\` \`Anne-Sophie\`). Punctuation around a term is left out, and so are the brackets and the \`mailto:\` of an address: \`Lovelace, Ada <ada@example.org>\` has three terms.${hasPhones ? phones : ''} Each term has a letter or a digit.`,
      schema: { type: 'string', minLength: 1, maxLength: maxSearchLength, pattern: textPattern },
    },
    sort: {
      description: `The order; default: by id. Prefix with \`-\` for descending order, also among ${many} with equal values. Texts are compared as \`search\` folds them, by code point: the order is the same everywhere and no language's own. Items without the value come last in both directions.`,
      schema: { type: 'string', enum: new ListParameters(definition.kind).sortValues },
    },
  };
}

const anyText: Parameter['schema'] = { type: 'string', minLength: 1, pattern: textPattern };

/** A filter that accepts `true` and no other text is a boolean; a filter that ignores accents compares folded texts. */
function describeFilter(definition: ResourceDefinition, name: string): Parameter {
  const { key, description, pattern, must } = definition.kind.filters[name] ?? {};
  const isFlag = key?.('true') !== undefined && key('no truth value') === undefined;
  const isFolded = key?.('é') === 'e';
  return {
    description:
      description ??
      `Only ${definition.kind.plural} whose \`${name}\` is this${isFolded ? ', compared as `search` folds texts' : ''}.${must === undefined || isFlag ? '' : ` It must ${must}.`}`,
    schema: isFlag ? { type: 'boolean' } : pattern === undefined ? anyText : { type: 'string', pattern },
  };
}

/** The forms of a filter behind its name: `role.in`, `role.exists` and `role.not`. */
function describeOperator(
  definition: ResourceDefinition,
  { filter, operator }: FilterParameter,
  { schema }: Parameter,
): Parameter {
  const { kind } = definition;
  const { plural: many, filters } = kind;
  const shows = filters[filter]?.shows;
  const scope = shows === undefined ? '' : ` Takes the scope \`${scopeOf(shows, 'list')}\`, too.`;
  if (operator === 'exists')
    return {
      description: `\`true\`: only ${many} that have a value for \`${filter}\`; \`false\`: only ${many} that have none.${scope}`,
      schema: { type: 'boolean' },
    };
  if (operator === 'not')
    return {
      description: `Excludes the ${many} that \`${filter}\` finds by this value. ${capitalize(many)} without a value for \`${filter}\` are found.${scope}`,
      schema,
    };
  return {
    description: `Only ${many} that \`${filter}\` finds by one of these values. It may be repeated.${scope}`,
    schema: { type: 'array', minItems: 1, maxItems: maxValues, items: schema },
  };
}

const changesOfMembers = ' Changes of members alter neither date.';
const polling =
  ' A program that polls asks from some minutes before its last request, since a change may become visible after one with a later date. Deletions are not found.';

const rangeSchemas: Partial<Record<AttributeTypeName, Parameter['schema']>> = {
  dateTime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  integer: { type: 'integer' },
  decimal: { type: 'number' },
};

function describeRange({ kind }: ResourceDefinition, { name, sort, end, type }: RangeParameter): Parameter {
  const isInstant = type === 'dateTime';
  const more = [
    kind.members === undefined || !isInstant || sort.includes('.') ? '' : changesOfMembers,
    name === 'lastModified.from' ? polling : '',
  ];
  const first = isInstant ? 'this date and time or a later one' : 'this value or a higher one';
  const last = isInstant ? 'earlier than this date and time' : 'this value or a lower one';
  return {
    description: `Only ${kind.plural} whose \`${sort}\` is ${end === 'from' ? first : last}.${more.join('')}`,
    schema: rangeSchemas[type] ?? anyText,
  };
}

/** In the order of `ListParameters.names`. */
export function listParameterTypes(definition: ResourceDefinition): Readonly<Record<string, Parameter>> {
  const ofRanges = Object.fromEntries(
    rangeParametersOf(definition.kind).map((range) => [range.name, describeRange(definition, range)]),
  );
  const ofFilters = Object.fromEntries(
    filterParametersOf(definition.kind).map((parameter) => {
      const plain = describeFilter(definition, parameter.filter);
      return [
        parameter.name,
        parameter.operator === 'is' ? plain : describeOperator(definition, parameter, plain),
      ];
    }),
  );
  const all = { ...ofFilters, ...ofRanges, ...findingIn(definition), ...paging };
  return Object.fromEntries(
    new ListParameters(definition.kind).names.map((name) => [name, all[name] as Parameter]),
  );
}
