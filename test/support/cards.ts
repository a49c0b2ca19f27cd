/** A kind of resource whose filters are unique as a test asks, as those of declared attributes are. */
import Type from 'typebox';
import { asIs, type Filter, type FilterName, oneKey } from '../../src/domain/find/filters.ts';
import { defineKind, type Kind } from '../../src/domain/kinds/kind.ts';
import { type Kinds, kindsOf as kindsOfService, makeKinds } from '../../src/domain/kinds.ts';
import { text, words } from '../../src/domain/resource/annotations.ts';
import { idType, Meta } from '../../src/domain/resource/resource.ts';

const id = idType('A UUID.');
const writable = {
  holder: text(64, 'Who carries it.', { ...words, sort: 'holder' }),
  badge: Type.Optional(text(64, 'A number.')),
  doors: Type.Optional(Type.Array(text(64, 'A door that no other card opens.'))),
};
const Card = Type.Object({ id, ...writable, meta: Meta }, { additionalProperties: false });
type Card = Type.Static<typeof Card>;

function cardKind(unique: readonly FilterName[]): Kind {
  const filter = (
    name: FilterName,
    pointer: string,
    keys: NonNullable<Filter<Card>['keys']>,
  ): Filter<Card> => ({
    ...{ keys, key: asIs, isShared: name === 'badge' },
    ...(unique.includes(name) && { taken: { code: `${name}-taken`, pointer } }),
  });
  return defineKind<Card, Card>({
    name: 'card',
    schema: Card,
    input: Type.Object({ id: Type.Optional(id), ...writable }, { additionalProperties: false }),
    readOnly: ['meta'],
    maxBytes: 4096,
    unique: {
      ...{ member: 'holder', version: 1, taken: 'holder-taken' },
      map: (holder) => holder.toLowerCase(),
      findFault: () => undefined,
    },
    filters: {
      holder: { keys: ({ holder }) => [holder.toLowerCase()], key: (value) => value.toLowerCase() },
      'card.badge': filter('badge', '/badge', ({ badge }) => oneKey(badge)),
      door: filter('door', '/doors', ({ doors }) => doors ?? []),
    },
  }) as unknown as Kind;
}

const here = new URL(import.meta.url);

/** @param unique `badge` and `door`, or one of them */
export function kindsWith(...unique: readonly string[]): Kinds {
  const module = new URL(here.pathname, here);
  for (const name of unique) module.searchParams.append('unique', name);
  return makeKinds([...kindsOfService().all, cardKind(unique)], { module: module.href });
}

/** Threads of the stores import it, from the address that `kindsWith` gives them. */
export const kindsOf = (): Kinds => kindsWith(...here.searchParams.getAll('unique'));
