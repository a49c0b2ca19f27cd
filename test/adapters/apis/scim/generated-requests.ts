/**
 * Requests to every route of SCIM, made up from what `/Schemas` publishes: bodies and parameters that RFC 7644 and docs/scim.md allow,
 * and the same with one thing wrong.
 */
import fc from 'fast-check';
import type { PublishedAttribute, PublishedSchema } from '../../../support/scim-schemas.ts';
import { toResource } from '../../../support/scim-users.ts';
import { anyUser } from '../../../support/users.ts';
import { core, type Place, pathOf, type Search, searches } from './generated-searches.ts';
import { bulkOf, type Json, nobody, patchOf } from './scim-client.ts';

const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const at = ({ urn, attribute: { name } }: Place, value: unknown): Json =>
  urn === core ? { [name]: value } : { [urn]: { [name]: value } };

/** None of these is a value of the attribute, nor does any say that there is none. */
function wrongValues({ type, multiValued, subAttributes = [] }: PublishedAttribute): readonly unknown[] {
  if (multiValued || type === 'complex') {
    const within = subAttributes.flatMap((sub) => wrongValues(sub).map((value) => ({ [sub.name]: value })));
    return multiValued ? ['x', 1, [1], ...within.map((item) => [item])] : [1, true, ...within];
  }
  return type === 'boolean' ? ['yes', 1, '', []] : [1, true, { x: 1 }, ['x']];
}

/** There a text or an object may be one item of a list, and an empty value removes. */
const isWrongInPatch = (value: unknown): boolean =>
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(Object(value)).length > 0);

const unknownName = fc.constantFrom('shoeSize', '__proto__x', 'x:y', 'Emails2');
let made = 0;
const uniqueName = (): string => {
  made += 1;
  return `generated${made}`;
};

/** A user as SCIM shows one: with what is read-only, or without. */
const validUser = fc.tuple(anyUser(), fc.boolean()).map(([user, isWhole]): Json => {
  const { id, meta, ...rest } = toResource(user, (one) => `/Users/${one}`);
  return { ...rest, ...(isWhole ? { id, meta } : {}) };
});

/** With a name that no other user has, unless its name is what is wrong. */
export const named = (user: Json): Json =>
  typeof user.userName === 'string' ? { ...user, userName: uniqueName() } : user;

interface Sent {
  readonly isRight: boolean;
  readonly body: Json;
}

const right = (body: fc.Arbitrary<Json>): fc.Arbitrary<Sent> =>
  body.map((one) => ({ isRight: true, body: one }));
const wrong = (body: fc.Arbitrary<Json>): fc.Arbitrary<Sent> =>
  body.map((one) => ({ isRight: false, body: one }));

function patches(places: readonly Place[]): fc.Arbitrary<Sent> {
  const optional = places.filter(({ attribute: { required } }) => !required);
  const set = fc
    .tuple(validUser, fc.constantFrom('add', 'replace', 'Replace'), fc.boolean())
    .map(([user, op, hasPath]) => {
      const { id, meta, schemas, userName, ...values } = user as Record<string, unknown>;
      const operations = optional.flatMap((place): readonly Json[] => {
        const holder = (place.urn === core ? values : values[place.urn]) as Json | undefined;
        const value = holder?.[place.attribute.name];
        return value === undefined ? [] : [{ op, path: pathOf(place), value }];
      });
      return hasPath && operations.length > 0 ? operations : [{ op, value: { title: 'x', ...values } }];
    });
  const removed = fc
    .constantFrom(...optional.filter(({ attribute: { name } }) => name !== 'active'))
    .map((place): readonly Json[] => [{ op: 'remove', path: pathOf(place) }]);
  const valid = fc.oneof(set, removed);
  const mistake = fc.oneof(
    fc.constantFrom<unknown>(
      1,
      {},
      { op: 'move', path: 'title' },
      { op: 'remove' },
      { op: 'add', path: 'title' },
      { op: 'remove', path: 'userName' },
      { op: 'replace', path: 'id', value: nobody },
      { op: 'replace', path: 'emails[', value: 'x' },
      { op: 'add', path: 'title', value: 'x', x: 1 },
    ),
    unknownName.map((path) => ({ op: 'add', path, value: 'x' })),
    fc
      .constantFrom(...optional)
      .chain((place) =>
        fc
          .constantFrom(...wrongValues(place.attribute).filter(isWrongInPatch))
          .map((value) => ({ op: 'replace', path: pathOf(place), value })),
      ),
  );
  return fc.oneof(
    right(valid.map((operations) => patchOf(...operations))),
    wrong(fc.tuple(valid, mistake).map(([operations, one]) => patchOf(...operations, one as Json))),
    wrong(fc.constantFrom<Json>({}, patchOf(), { schemas: [searchUrn], Operations: [{}] })),
  );
}

interface Generated {
  readonly user: fc.Arbitrary<Sent>;
  readonly patch: fc.Arbitrary<Sent>;
  readonly search: fc.Arbitrary<Search>;
  /** Wrong as a whole; operations of any kind may fail each by itself. */
  readonly bulk: fc.Arbitrary<Sent>;
}

export function generatedFrom(schemas: readonly PublishedSchema[]): Generated {
  const ofUsers = schemas.filter(({ id }) => !id.endsWith(':Group'));
  const places = ofUsers.flatMap(({ id, attributes }) =>
    attributes
      .filter(({ mutability }) => mutability === 'readWrite')
      .map((attribute): Place => ({ urn: id, attribute })),
  );
  const mistake = fc.oneof(
    fc
      .constantFrom(...places)
      .chain((place) => fc.constantFrom(...wrongValues(place.attribute)).map((value) => at(place, value))),
    unknownName.map((name) => ({ [name]: 'x' })),
    fc.constantFrom<Json>(
      { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] },
      { schemas: [{}] },
      { schemas: 7 },
    ),
  );
  const user = fc.oneof(
    right(validUser),
    wrong(fc.tuple(validUser, mistake).map((parts): Json => Object.assign({}, ...parts))),
  );
  const patch = patches(places);
  const target = fc.constantFrom(nobody, 'x', 'bulkId:b0');
  const operation = fc.oneof(
    user.map(({ body }): Json => ({ method: 'POST', path: '/Users', data: body })),
    fc
      .tuple(target, user)
      .map(([id, { body }]): Json => ({ method: 'PUT', path: `/Users/${id}`, data: body })),
    fc
      .tuple(target, patch)
      .map(([id, { body }]): Json => ({ method: 'PATCH', path: `/Users/${id}`, data: body })),
    target.map((id): Json => ({ method: 'DELETE', path: `/Users/${id}`, version: 'W/"x"' })),
    fc.constant<Json>({ method: 'POST', path: '/Papers', data: {} }),
  );
  const operations = fc
    .array(operation, { minLength: 1, maxLength: 5 })
    .map((all) =>
      all.map((one, index): Json => (one.method === 'POST' ? { ...one, bulkId: `b${index}` } : one)),
    );
  const wrongBulk = fc.constantFrom<Json>(
    { failOnErrors: 0 },
    { Operations: [] },
    { schemas: [core] },
    { x: 1 },
  );
  const wrongOperation = fc.constantFrom<unknown>(
    1,
    {},
    { method: 'GET', path: '/Users' },
    { method: 'PUT' },
  );
  const bulk = fc.oneof(
    right(
      fc.tuple(operations, fc.constantFrom({}, { failOnErrors: 1 })).map(([all, more]) => bulkOf(all, more)),
    ),
    wrong(fc.tuple(operations, wrongBulk).map(([all, more]) => bulkOf(all, more))),
    wrong(fc.tuple(operations, wrongOperation).map(([all, one]) => bulkOf([...all, one]))),
  );
  return { user, patch, search: searches(places), bulk };
}

/** Of any body at all: JSON of any shape, with and without the URN of a message. */
export const anyBody: fc.Arbitrary<string> = fc
  .tuple(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(undefined, core, searchUrn, 'urn:ietf:params:scim:api:messages:2.0:PatchOp'),
  )
  .map(([value, urn]) => JSON.stringify(urn === undefined ? value : { ...Object(value), schemas: [urn] }));
