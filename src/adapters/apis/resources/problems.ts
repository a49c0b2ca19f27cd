/** The problems of an API of resources, besides the problems of every API. */

import type { Kind } from '../../../domain/kinds/kind.ts';
import { capitalize } from '../../contracts/names.ts';
import type { DescribedProblemType, DescribedProblemTypes } from '../../http/problems/problem-types.ts';
import type { ResourceDefinition } from './definition.ts';

/** The page of the problem serves every kind. */
const idTaken = {
  status: 409,
  title: 'The id is in use',
  meaning: 'Another resource of this kind has the id that the POST chose.',
  remedy:
    'If you repeated your own POST, the first one took effect: read the resource with this id. Otherwise choose another id.',
} as const satisfies DescribedProblemType;

/** Only if the installation declares a unique attribute. */
const attributeTaken = {
  status: 409,
  title: 'The value of an attribute is in use',
  meaning:
    'Another resource of this kind has this value of an attribute that the installation has declared unique.',
  remedy: 'Choose another one. errors names the attribute.',
  example: [{ pointer: '/attributes/badge', detail: 'another user has this value' }],
} as const satisfies DescribedProblemType;

/** The problems of every kind. */
const shared = {
  'query-too-costly': {
    status: 400,
    title: 'The query costs too much',
    meaning: 'The query would scan too many resources to find those that match in the requested order.',
    remedy:
      'Search for longer or more terms, add a filter, omit total, or take the list in the order of ids.',
  },
} as const satisfies DescribedProblemTypes;

export const notFoundProblem = ({ name }: Pick<Kind, 'name'>): DescribedProblemTypes => ({
  [`${name}-not-found`]: {
    status: 404,
    title: `${capitalize(name)} not found`,
    meaning: `No ${name} has this id: it never existed, or it was deleted.`,
    remedy: `Check the id, or find the ${name} by a filter of the list.`,
  },
});

export function resourceProblems({
  kind,
  texts,
}: Pick<ResourceDefinition, 'kind' | 'texts'>): DescribedProblemTypes {
  const { name, unique } = kind;
  const { member, taken } = unique;
  return {
    ...notFoundProblem(kind),
    [taken]: {
      status: 409,
      title: `The ${member} is in use`,
      meaning: `Another ${name} has this ${member}. ${texts.nameRule}`,
      remedy: `Choose another one. When it was a repeated POST of your own, filter the list by ${member} to find the ${name}.`,
      example: [{ pointer: `/${member}`, detail: `another ${name} has this ${member}` }],
    },
    ...(kind.takenCodes.includes('attribute-taken') && { 'attribute-taken': attributeTaken }),
    'id-taken': { ...idTaken, example: [{ pointer: '/id', detail: `another ${name} has this id` }] },
    ...shared,
    [`invalid-${name}`]: {
      status: 422,
      title: `The ${name} breaks the rules`,
      meaning: `The body was understood, and the ${name} in it breaks rules. Nothing was changed.`,
      remedy:
        'See errors, up to 20 at once: each has a JSON Pointer (RFC 6901) to the place and says what is required.',
      example: [{ pointer: `/${member}`, detail: 'must be there' }],
    },
  };
}
