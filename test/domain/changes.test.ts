import { expect } from 'chai';
import fc from 'fast-check';
import { type Change, documentChange } from '../../src/domain/changes/change.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import { isObject } from '../../src/domain/validation/plain-values.ts';
import { runs } from '../support/runs.ts';
import { anyUser } from '../support/users.ts';

type Members = Map<string, unknown>;

const kind = kindsOf().of('user');

/** All objects as maps: names of members are the client's own. */
const toMaps = (value: unknown): unknown =>
  isObject(value) ? new Map(Object.entries(value).map(([name, member]) => [name, toMaps(member)])) : value;

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (document: unknown, [step, ...rest]: readonly string[]): unknown => {
  const member = document instanceof Map && step !== undefined ? document.get(step) : undefined;
  return rest.length === 0 ? member : valueAt(member, rest);
};

/** Objects that lose their last member go, as from every document. */
function put(document: Members, [step = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) document.delete(step);
    else document.set(step, value);
    return;
  }
  const inner = (document.get(step) ?? new Map()) as Members;
  put(inner, rest, value);
  if (inner.size === 0) document.delete(step);
  else document.set(step, inner);
}

/** The document with what the entry says of these pointers. */
function applied(document: object, pointers: readonly string[], values: object | undefined): Members {
  const [result, parts] = [toMaps(document) as Members, toMaps(values)];
  for (const pointer of pointers) put(result, stepsOf(pointer), valueAt(parts, stepsOf(pointer)));
  return result;
}

describe('What the change log says of a write', () => {
  const anyPair = fc
    .tuple(anyUser(), anyUser(), fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([before, other, kept]) => {
      const names = [...new Set([...Object.keys(before), ...Object.keys(other)])];
      const members = names.map((name, at) => [
        name,
        Reflect.get(kept[at] || name === 'id' ? before : other, name),
      ]);
      return {
        before,
        after: Object.fromEntries(members.filter(([, value]) => value !== undefined)) as object,
      };
    });
  const contentOf = (document: object): object => {
    const { id, meta, photos, x509Certificates, ...content } = document as Record<string, unknown>;
    return content;
  };
  const change = (before: string | undefined, after: object | undefined): Change =>
    documentChange(kind, 'an-id', before, after as Resource | undefined, 'v');
  const changeOf = (before: object, after: object): Change => change(JSON.stringify(before), after);

  it('turns the old document into the new one, and back', () =>
    fc.assert(
      fc.property(anyPair, ({ before, after }) => {
        const { changed = [], values } = changeOf(before, after);
        const logged = changed.filter((pointer) => !/^\/(?:photos|x509Certificates)$/.test(pointer));
        const [old, next] = [contentOf(before), contentOf(after)];
        expect(applied(old, logged, values?.after)).to.deep.equal(toMaps(next));
        expect(applied(next, logged, values?.before)).to.deep.equal(toMaps(old));
      }),
      { numRuns: runs(2_000) },
    ));

  it('names each member of an object, and a list as a whole', () => {
    const before = { userName: 'a', name: { givenName: 'Ada' }, emails: [{ value: 'a@example.org' }] };
    const after = {
      ...{ userName: 'a', name: { familyName: 'L' }, attributes: { 'a/b': '1', 'c~d': '2' } },
      emails: [{ value: 'b@example.org' }],
    };
    const { changed } = changeOf(before, after);
    expect(changed).to.deep.equal([
      ...['/name/familyName', '/name/givenName', '/emails', '/attributes/a~1b', '/attributes/c~0d'],
    ]);
  });

  it('names pictures and certificates that differ, without their values', () => {
    const photos = (value: string) => ({ userName: 'a', photos: [{ value }] });
    const { changed, values } = changeOf(photos('https://example.org/1'), photos('https://example.org/2'));
    expect(changed).to.deep.equal(['/photos']);
    expect(values).to.deep.equal({ label: 'a', before: {}, after: {} });
    const created = change(undefined, photos('https://example.org/1'));
    expect(created.values?.after).to.deep.equal({ userName: 'a' });
  });

  it('has the whole new document where the old one could not be read', () => {
    expect(change('{"broken', { userName: 'a', title: 'T' }).changed).to.deep.equal(['/userName', '/title']);
    expect(change('{"broken', undefined).values).to.deep.equal({ label: '' });
  });
});
