import { expect } from 'chai';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import type { KindRules } from '../../src/domain/access/profile.ts';
import { projectChange } from '../../src/domain/changes/change.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { ReadInput } from '../../src/domain/resource/build.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { DomainError } from '../../src/domain/validation/errors.ts';
import { refused } from '../contract/refusals.ts';
import { aUser } from '../support/a-user.ts';
import {
  author,
  contentOf,
  directory,
  document,
  limitedBy,
  unlimited,
  userKind,
} from '../support/limited-users.ts';

const hidingSome: KindRules = {
  read: ['userName', 'name', 'active', 'title', 'attributes.badge', 'validUntil'],
  except: ['name.familyName'],
  write: ['name', 'title', 'attributes', 'validUntil'],
};
const ada = {
  ...{ userName: 'ada', name: { familyName: 'Lovelace', givenName: 'Ada' }, title: 'Countess' },
  ...{ emails: [{ value: 'ada@example.com' }], attributes: { badge: 7, level: 'senior', locker: 'B4' } },
};
const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
const pointersOf = ({ violations }: DomainError): readonly string[] =>
  violations.map(({ pointer }) => pointer);

describe('A member that a profile hides', () => {
  const hiding = limitedBy(hidingSome);
  const named = {
    emails: null,
    name: { givenName: 'Eve', familyName: '' },
    attributes: { badge: 'none', locker: null, other: 'x' },
    titel: 'x',
  };

  it('is refused by its name, whatever its value and whatever else is wrong, in each format', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, ada);
    const pointers = ['/emails', '/name/familyName', '/attributes/locker', '/attributes/other'];
    const { naming, schema } = document;
    const inXml =
      '<user><emails/><name><givenName>Eve</givenName><familyName/></name><attributes><attribute name="badge">none</attribute>' +
      '<attribute name="locker"/><attribute name="other">x</attribute></attributes><titel/></user>';
    const read = new ReadInput(runToEnd(xml.codec(schema, naming).read(Buffer.from(inXml))));
    for (const input of [named, read])
      for (const write of [
        all.create(hiding, input),
        all.replace(hiding, id, input),
        all.patch(hiding, id, input),
        all.change(hiding, id, () => input),
      ]) {
        const error = await refused(write, 'attribute-hidden');
        expect(pointersOf(error)).to.deep.equal(pointers);
        expect(JSON.stringify([error.message, error.violations])).not.to.match(/Eve|none|Lovelace|B4/);
      }
    expect(await all.stored(id)).to.deep.include(ada);
  });

  it('is refused in XML, too, if it is repeated or in another namespace', async () => {
    const all = directory();
    for (const inXml of ['<user><emails/><emails/></user>', '<user><emails xmlns="urn:x"/></user>']) {
      const read = runToEnd(xml.codec(document.schema, document.naming).read(Buffer.from(inXml)));
      const error = await refused(all.create(hiding, new ReadInput(read)), 'attribute-hidden');
      expect(pointersOf(error)).to.deep.equal(['/emails']);
    }
  });

  it('stays in its object when the visible members of the object are removed', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, ada);
    await all.patch(hiding, id, { name: null, attributes: null });
    const { badge: _, ...others } = ada.attributes;
    const kept = { ...ada, name: { familyName: 'Lovelace' }, attributes: others, active: true };
    expect(await all.stored(id)).to.deep.equal(kept);
    await all.replace(hiding, id, { userName: 'ada', title: 'Countess' });
    expect(await all.stored(id)).to.deep.equal(kept);
  });

  it('stands in the order of the schema, beside a visible member that is added', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, { userName: 'ada', name: { familyName: 'Lovelace' } });
    await all.patch(hiding, id, { name: { honorificSuffix: 'Esq.', formatted: 'Ada', givenName: 'Ada' } });
    const { name = {} } = (await all.read(unlimited, id)).value;
    expect(Object.keys(name)).to.deep.equal(['formatted', 'familyName', 'givenName', 'honorificSuffix']);
  });

  it('is not suggested or required, and not revealed by its size or by a date that limits another member', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, { ...ada, active: false, validFrom: '2900-01-01T00:00:00Z' });
    const caller = limitedBy({ read: ['active', 'title', 'attributes.a'], write: '*' });
    const textOf = async (patch: object): Promise<string> => {
      const { message, violations } = await refused(all.patch(caller, id, patch), 'invalid-user');
      return JSON.stringify([message, violations]);
    };
    expect(await textOf({ displayname: 'x' })).to.include('is not known here"');
    expect(await textOf({ active: true })).to.include('must not be true now');
    const full = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`b${at}`, 'x'.repeat(1024)]));
    await all.patch(unlimited, id, { attributes: full });
    expect(await textOf({ attributes: { a: 'x'.repeat(1024) } })).to.include('is too large');
    await all.replace(caller, id, { title: 'x' });
    expect((await all.stored(id)).userName).to.equal('ada');
  });

  it('counts towards the limit of entries in a map, which is the same for all callers', async () => {
    const all = directory();
    const entries = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`a${at}`, 'x']));
    const { id } = await all.create(unlimited, { userName: 'ada', attributes: entries });
    const caller = limitedBy({ read: ['userName', 'attributes.b'], write: '*' });
    const error = await refused(all.patch(caller, id, { attributes: { b: 'x' } }), 'invalid-user');
    expect(error.violations).to.deep.equal([
      { pointer: '/attributes', detail: 'must have at most 64 entries' },
    ]);
    expect((await all.stored(id)).attributes).to.deep.equal(entries);
  });

  it('keeps a limited caller from replacing a user that cannot be read, so that it is not lost', async () => {
    const all = directory();
    const { id, text } = await all.create(unlimited, ada);
    all.store.commit = () => Promise.reject(new Error('nothing is to be written'));
    for (const damaged of [text.slice(0, -1), text.replace(/"name":\{[^}]*\}/, '"name":"x"')]) {
      const stored = new Stored<User>(damaged);
      all.store.find = () => Promise.resolve(stored);
      await refused(all.replace(hiding, id, { userName: 'ada' }), 'damaged');
    }
  });

  it('is not shown if another program has printed the user otherwise, or damaged it', async () => {
    const all = directory();
    const { id, value, text } = await all.create(unlimited, ada);
    const seen = (await all.read(hiding, id)).value;
    const texts = [
      JSON.stringify(value, null, 2),
      text.replaceAll('":', '" : '),
      JSON.stringify(reversed(value)),
    ];
    for (const printed of texts) {
      all.store.find = () => Promise.resolve(new Stored<User>(printed));
      expect((await all.read(hiding, id)).value).to.deep.equal(seen);
    }
    for (const damaged of [
      `${text}}`,
      text.slice(0, -9),
      text.replace('[{', '{{'),
      text.replace(':7', ':'),
    ]) {
      all.store.find = () => Promise.resolve(new Stored<User>(damaged));
      const shown = await all.read(hiding, id).catch(({ code }: DomainError) => code);
      expect(JSON.stringify(shown)).not.to.match(/Lovelace|example|B4/);
    }
  });

  it('is not revealed by changes: neither its pointer and values, nor the name of a user', () => {
    const caller = limitedBy({ read: ['title', 'attributes.badge'] });
    const projection = userKind.projectionFor(caller);
    const change = {
      changed: ['/userName', '/title', '/attributes/badge', '/attributes/locker', '/name/familyName'],
      values: { label: 'ada', before: { userName: 'eve', title: 'x' }, after: ada },
    };
    expect(projection && projectChange(userKind, projection, change)).to.deep.equal({
      changed: ['/title', '/attributes/badge'],
      values: { before: { title: 'x' }, after: { title: 'Countess', attributes: { badge: 7 } } },
    });
  });

  it('is refused to a pinned client as unknown if only its version of the contract lacks it', async () => {
    const all = directory();
    const instant = { validUntil: '2900-01-01T00:00:00.000Z' };
    const { id } = await all.create(unlimited, { ...ada, ...instant });
    const pinned = limitedBy(hidingSome, '1.12');
    await refused(all.patch(pinned, id, instant), 'invalid-user');
    await refused(all.patch(pinned, id, { validFrom: null }), 'attribute-hidden');
    await all.replace(pinned, id, { userName: 'ada', attributes: { badge: '8' } });
    const attributes = { ...ada.attributes, badge: 8 };
    const { title: _, ...others } = ada;
    const kept = { ...others, ...instant, attributes, name: { familyName: 'Lovelace' }, active: true };
    expect(await all.stored(id)).to.deep.equal(kept);
  });
});

describe('A member that a profile shows and does not let a caller change', () => {
  const showing = limitedBy({
    read: '*',
    write: ['title', 'name.givenName', 'attributes.level', 'validUntil'],
  });
  let all: ReturnType<typeof directory>;
  let id: string;

  beforeEach(async () => {
    all = directory();
    id = (await all.create(unlimited, ada)).id;
  });

  it('is named with its pointer when a write would change or remove it, before other violations', async () => {
    const body = {
      ...{ userName: 'eve', emails: 'none', name: { givenName: 'Eve', familyName: 'x' }, active: false },
      ...{ attributes: { badge: 'x', level: 'unknown', locker: 'B4', other: 'y' } },
    };
    const pointers = ['/userName', '/name/familyName', '/active', '/emails', '/attributes/badge'];
    for (const write of [all.replace, all.patch]) {
      const error = await refused(write(showing, id, body), 'attribute-read-only');
      expect(pointersOf(error)).to.have.members([...pointers, '/attributes/other']);
      expect(JSON.stringify(error.violations)).not.to.include('Lovelace');
    }
    for (const [patch, pointer] of [
      [{ emails: null }, '/emails'],
      [{ name: null }, '/name/familyName'],
      [{ attributes: { locker: '' } }, '/attributes/locker'],
    ] as const)
      expect(pointersOf(await refused(all.patch(showing, id, patch), 'attribute-read-only'))).to.deep.equal([
        pointer,
      ]);
    expect(await all.stored(id)).to.deep.equal({ ...ada, active: true });
  });

  it('stays when a replacement leaves it out, even one that is sent as an edit', async () => {
    const body = { name: { givenName: 'A.' }, attributes: { badge: '7' }, emails: [] };
    const { level: _, ...attributes } = ada.attributes;
    const { title: __, ...others } = ada;
    const kept = { ...others, name: { familyName: 'Lovelace', givenName: 'A.' }, attributes, active: true };
    await all.replace(showing, id, body);
    expect(await all.stored(id)).to.deep.equal(kept);
    const edit = () => new ReadInput({ value: body, violations: [], isReplacement: true });
    await all.change(showing, id, edit);
    expect(await all.stored(id)).to.deep.equal(kept);
    await refused(
      all.change(showing, id, () => body),
      'attribute-read-only',
    );
  });

  it('is not validated again when another member of the same object changes', async () => {
    const user = aUser({
      userName: 'eve',
      name: { familyName: 'x'.repeat(1000) },
      profileUrl: 'javascript:x',
    });
    await all.store.commit([{ kind: 'user', id: user.id, op: 'create', next: Stored.of(user) }], author);
    await all.patch(showing, user.id, { name: { givenName: 'Eve' } });
    expect((await all.stored(user.id)).name).to.deep.equal({ ...user.name, givenName: 'Eve' });
  });

  it('may change as a consequence of another one: validUntil ends a user even for a caller that cannot deactivate users', async () => {
    await all.patch(showing, id, { validUntil: '2001-01-01T00:00:00Z' });
    expect((await all.stored(id)).active).to.equal(false);
  });

  it('may be set in a new user', async () => {
    const eve = { ...ada, userName: 'eve', active: false, attributes: { badge: 8 } };
    expect(contentOf((await all.create(showing, eve)).value)).to.deep.equal(eve);
  });
});
