/** Queries of lists, made up from the attributes that `/Schemas` publishes. */
import fc from 'fast-check';
import type { PublishedAttribute } from '../../../support/scim-schemas.ts';
import type { Json } from './scim-client.ts';

export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

export interface Place {
  readonly urn: string;
  readonly attribute: PublishedAttribute;
}

/** As a filter or a PATCH names it. */
export const pathOf = ({ urn, attribute: { name } }: Place): string =>
  urn === core ? name : `${urn}:${name}`;

export interface Search {
  readonly isRight: boolean;
  readonly parameters: Json;
}

export function searches(places: readonly Place[]): fc.Arbitrary<Search> {
  const simple = places.filter(({ attribute: { type } }) => type !== 'complex');
  const texts = simple.filter(({ attribute: { type } }) => type === 'string').map(pathOf);
  const comparison = fc.oneof(
    fc.constantFrom(...places.map(pathOf)).map((path) => `${path} pr`),
    fc
      .tuple(
        fc.constantFrom(...texts),
        fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
        fc.constantFrom('ada', '', 'x y', 'ß', '\\"'),
      )
      .map(([path, operator, text]) => `${path} ${operator} "${text}"`),
    fc.constantFrom(
      'active eq true',
      'emails[type eq "work"].value pr',
      'meta.created gt "2020-01-01T00:00:00Z"',
    ),
  );
  const filter = fc
    .tuple(comparison, fc.constantFrom('and', 'or'), comparison, fc.nat(3))
    .map(([one, word, other, form]) =>
      form === 0 ? one : form === 1 ? `not (${one})` : `${one} ${word} (${other})`,
    );
  const shown = fc
    .array(fc.constantFrom(...places.map(pathOf), 'id', 'meta.version', 'nothing'), { maxLength: 4 })
    .map((names) => names.join(','));
  const usual = fc.record(
    {
      filter,
      sortBy: fc.constantFrom('id', 'userName', 'meta.created', 'name.familyName'),
      sortOrder: fc.constantFrom('ascending', 'Descending'),
      count: fc.integer({ min: -1, max: 20 }).map(String),
      unknown: fc.constant('x'),
    },
    { requiredKeys: [] },
  );
  const place = fc.oneof(
    fc.constant({}),
    fc.record({ startIndex: fc.integer({ min: -1, max: 20 }).map(String) }),
    fc.constant({ cursor: '' }),
  );
  const projection = fc.oneof(
    fc.constant({}),
    shown.map((attributes) => ({ attributes })),
    shown.map((excludedAttributes) => ({ excludedAttributes })),
  );
  const valid = fc.tuple(usual, place, projection).map((parts): Json => Object.assign({}, ...parts));
  const mistake = fc.constantFrom<Json>(
    { filter: 'userName' },
    { filter: 'shoeSize eq "x"' },
    { filter: 'userName eq "x' },
    { sortBy: 'shoeSize' },
    { sortOrder: 'sideways' },
    { count: '1.5' },
    { startIndex: 'x', cursor: undefined },
    { cursor: 'x', startIndex: undefined },
    { cursor: '', startIndex: '1' },
    { attributes: 'a b', excludedAttributes: undefined },
    { attributes: 'id', excludedAttributes: 'id' },
  );
  return fc.oneof(
    valid.map((parameters) => ({ isRight: true, parameters })),
    fc.tuple(valid, mistake).map((parts) => ({ isRight: false, parameters: Object.assign({}, ...parts) })),
  );
}
