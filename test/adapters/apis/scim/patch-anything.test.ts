import { expect } from 'chai';
import fc from 'fast-check';
import {
  maxPatchComparisons,
  maxPatchOperations,
} from '../../../../src/adapters/apis/scim/patch/read-patch.ts';
import { ScimError } from '../../../../src/adapters/apis/scim/resource/errors.ts';
import { runToEnd } from '../../../../src/adapters/formats/port/format.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { aUser } from '../../../support/a-user.ts';
import { anyText } from '../../../support/any-text.ts';
import { readInput } from '../../../support/kinds.ts';
import { countOf, runs } from '../../../support/runs.ts';
import { applyPatch, readPatch, readResourceBody, toInput, toResource } from '../../../support/scim-users.ts';
import { anyUser } from '../../../support/users.ts';
import { ada, core, enterprise, own, patchOf } from './patched.ts';

const locate = (id: string): string => `/Users/${id}`;

const paths = [
  ...[
    'userName',
    'title',
    'active',
    'name',
    'name.givenName',
    'emails',
    'emails.value',
    'roles',
    'id',
    'meta',
  ],
  ...['emails[type eq "work"]', 'emails[type eq "x"].value', 'emails[primary eq true].primary', 'schemas'],
  ...['roles[value sw "a"]', 'addresses[not (type pr)].locality', 'photos[value co "/"].type', 'ims.type'],
  ...[
    '__proto__',
    '__proto__.x',
    'constructor.prototype.x',
    'toString',
    'emails.__proto__',
    'password',
    'groups',
  ],
  ...[enterprise, core, own, `${enterprise}:manager`, `${enterprise}:manager.value`, `${own}:attributes`],
  ...[`${own}:attributes[name eq "__proto__"].value`, 'emails[__proto__ eq "x"]', 'emails[', ''],
];
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...paths) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('value', 'type', 'primary', 'display', '$ref', 'givenName', 'VALUE'),
  },
  anyText(),
);
const word = fc.constantFrom('work', 'ada', 'True', 'False', '', 'a@b.c', '__proto__', 'constructor', 'x');
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: word },
    fc.boolean(),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    // As JSON.parse makes them, where `__proto__` is a member like another.
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const item = fc.record({ value: word, type: word, primary: fc.boolean() }, { requiredKeys: [] });
/** More often than not one that is taken. */
const likely = fc.record({
  op: fc.constantFrom('add', 'replace', 'remove', 'Replace'),
  path: fc.constantFrom(...paths.filter((path) => /^(?:title|name\.|emails|roles|addresses|urn)/.test(path))),
  value: fc.oneof(word, item, fc.array(item, { maxLength: 3 }), json),
});
const operation = fc.oneof(
  { weight: 6, arbitrary: likely },
  {
    weight: 2,
    arbitrary: fc.record(
      { op: fc.constantFrom('add', 'replace', 'remove', 'Replace'), path: name, value: json },
      { requiredKeys: ['op'] },
    ),
  },
  json,
);
const anyPatch = fc.array(operation, { minLength: 1, maxLength: 4 }).map(patchOf);

/** The resource that comes of it; undefined when it is refused, as a ScimError. */
function patch(resource: object, body: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const result = runToEnd(
      applyPatch(resource as Readonly<Record<string, unknown>>, runToEnd(readPatch(body))),
    );
    toInput(result);
    return result;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return undefined;
  }
}

describe('Any PATCH', () => {
  const untouched = Object.getOwnPropertyNames(Object.prototype);
  afterEach(() => {
    expect(Object.getOwnPropertyNames(Object.prototype)).to.deep.equal(untouched);
    expect(Object.getOwnPropertyNames(Array.prototype)).to.not.include('x');
  });

  it('with any operations is applied or refused, and otherwise leaves the resource and the request unchanged', () => {
    const resource = toResource(ada, locate);
    const before = structuredClone(resource);
    fc.assert(
      fc.property(anyPatch, (body) => {
        const sent = JSON.stringify(body);
        patch(resource, body);
        expect(resource).to.deep.equal(before);
        expect(JSON.stringify(body)).to.equal(sent);
      }),
      { numRuns: runs(20_000) },
    );
    expect(countOf(anyPatch, 500, (body) => patch(resource, body) !== undefined)).to.be.above(25);
  });

  it('with any JSON is applied or refused', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        patch(toResource(ada, locate), body);
        patch(toResource(ada, locate), patchOf(body));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('changes only what it names, and its result can be read by SCIM again', () => {
    fc.assert(
      fc.property(anyUser(), anyPatch, (user, body) => {
        const result = patch(toResource(user, locate), body);
        if (result === undefined) return;
        const text = JSON.stringify(body).toLowerCase();
        const input = toInput(result);
        if (!text.includes('photos')) expect(input.photos).to.deep.equal(user.photos);
        if (!text.includes('user')) expect(input.enterprise).to.deep.equal(user.enterprise);
        expect(toInput(readResourceBody(result))).to.deep.equal(input);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('results in a valid user, or is refused', () => {
    fc.assert(
      fc.property(anyPatch, (body) => {
        const result = patch(toResource(ada, locate), body);
        if (result === undefined) return;
        try {
          const input = readInput(toInput(result));
          expect(input.emails?.filter(({ primary }) => primary).length ?? 0).to.be.below(2);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(error.violations.map(({ detail }) => detail)).to.not.include(
            'must have at most one that is primary',
          );
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  it('has the same result when it is repeated', () => {
    const operations = runToEnd(
      readPatch(patchOf([{ op: 'add', path: 'emails[type eq "x"].value', value: 'a@b.c' }])),
    );
    const resource = toResource(ada, locate);
    const apply = () => runToEnd(applyPatch(resource, operations));
    expect(apply()).to.deep.equal(apply());
  });

  it('may have the maximum number of operations, each with a filter', () => {
    const user = aUser({ entitlements: Array.from({ length: 100 }, (_, index) => ({ value: `e${index}` })) });
    const operations = Array.from(
      { length: Math.min(maxPatchOperations, maxPatchComparisons) },
      (_, index) => ({
        ...{ op: 'replace', path: 'entitlements[value sw "e"].display', value: `${index}` },
      }),
    );
    const result = patch(toResource(user, locate), patchOf(operations));
    const expected = user.entitlements?.map((one) => ({ ...one, display: `${operations.length - 1}` }));
    expect(result?.entitlements).to.deep.equal(expected);
  });
});
