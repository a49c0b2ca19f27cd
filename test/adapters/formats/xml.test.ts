import { expect } from 'chai';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { inUser, ours, read, valueIn, violationsOf } from './xml-documents.ts';

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const unknownHere = 'is not known here';

describe('The namespace of a user in XML', () => {
  const title = { title: 'x' };
  it('may be the default one', () => {
    expect(valueIn('<title>x</title>')).to.deep.equal(title);
  });
  it('may be left out', () => {
    expect(valueIn('<title>x</title>', '')).to.deep.equal(title);
  });
  it('may have any prefix, also more than one', () => {
    const text =
      '<p:user xmlns:p="urn:user-management:1"><q:title xmlns:q="urn:user-management:1">x</q:title></p:user>';
    expect(read(text)).to.deep.equal({ value: title, violations: [] });
  });
  it('may have a prefix named like a member of the prototype', () => {
    for (const prefix of ['constructor', '__proto__', 'toString']) {
      const text = `<${prefix}:user xmlns:${prefix}="urn:user-management:1"><${prefix}:title>x</${prefix}:title></${prefix}:user>`;
      expect(read(text)).to.deep.equal({ value: title, violations: [] });
    }
  });
  it('is refused if it is neither that of the service nor empty', () => {
    expect(violationsOf('<user xmlns="urn:other"><title>x</title></user>')).to.deep.equal([
      { pointer: '', detail: 'must be <user>, in the namespace urn:user-management:1 or in none' },
    ]);
  });
  it('may not differ between members, nor be missing for some of them', () => {
    for (const other of ['urn:other', ''])
      expect(violationsOf(inUser(`<title xmlns="${other}">x</title>`))).to.deep.equal([
        { pointer: '/title', detail: 'must be in the namespace urn:user-management:1, like its parent' },
      ]);
    expect(violationsOf(inUser('<roles><role xmlns="">a</role></roles>'))).to.deep.equal([
      { pointer: '/roles/0', detail: 'must be in the namespace urn:user-management:1, like its parent' },
    ]);
  });
  it('may not be set for a member of a user without a namespace', () => {
    expect(violationsOf(`<user><title ${ours}>x</title></user>`)).to.deep.equal([
      { pointer: '/title', detail: 'must be in no namespace, like its parent' },
    ]);
  });
});

describe('Attributes in XML', () => {
  it('of XML Schema are ignored', () => {
    const attributes = `${ours} ${xsi} xsi:schemaLocation="a b" xsi:type="user"`;
    expect(valueIn('<title xsi:type="string">x</title>', attributes)).to.deep.equal({ title: 'x' });
  });
  it('can be xsi:nil for a missing value, in every form of a boolean', () => {
    for (const nil of ['true', '1', ' true '])
      expect(valueIn(`<title xsi:nil="${nil}"/>`, `${ours} ${xsi}`)).to.deep.equal({ title: null });
    for (const nil of ['false', '0', 'no'])
      expect(valueIn(`<title xsi:nil="${nil}">x</title>`, `${ours} ${xsi}`)).to.deep.equal({ title: 'x' });
  });
  it('called nil in another namespace have no effect', () => {
    expect(violationsOf(inUser('<title nil="true">x</title>'))).to.deep.equal([
      { pointer: '/title', detail: 'has an attribute that is not known here, nil' },
    ]);
  });
  it('that are unknown are reported with their place', () => {
    const text = inUser(
      '<title name="a">x</title><emails type="b"><email c="d"><value>a@b</value></email></emails>',
    );
    expect(violationsOf(text).map(({ pointer }) => pointer)).to.deep.equal([
      '/title',
      '/emails',
      '/emails/0',
    ]);
    expect(violationsOf(`<user ${ours} version="2"/>`).map(({ pointer }) => pointer)).to.deep.equal(['']);
  });
  it('may be named like a member of the prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(violationsOf(`<user ${name}="x"/>`)).to.have.lengthOf(1);
  });
});

describe('Elements in XML', () => {
  it('may be empty, with one tag or two', () => {
    expect(valueIn('<title/><nickName></nickName><locale />')).to.deep.equal({
      title: '',
      nickName: '',
      locale: '',
    });
    expect(valueIn('<title/><displayName>x</displayName>')).to.deep.equal({ title: '', displayName: 'x' });
  });
  it('may come in any order', () => {
    expect(valueIn('<title>a</title><id>b</id>')).to.deep.equal({ title: 'a', id: 'b' });
  });
  it('that are named like members of the prototype are reported as unknown', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      expect(violationsOf(inUser(`<${name}>x</${name}>`))).to.deep.equal([
        { pointer: `/${name}`, detail: unknownHere },
      ]);
      expect(violationsOf(inUser(`<name><${name}/></name>`))).to.deep.equal([
        { pointer: `/name/${name}`, detail: unknownHere },
      ]);
    }
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
  it('that occur twice are reported', () => {
    const text = inUser('<title>a</title><title>b</title><name><givenName/><givenName/></name>');
    expect(violationsOf(text)).to.deep.equal([
      { pointer: '/title', detail: 'occurs more than once' },
      { pointer: '/name/givenName', detail: 'occurs more than once' },
    ]);
  });
  it('have no text between them', () => {
    const such = (element: string) => `must have elements inside, such as <${element}>, not text`;
    expect(violationsOf(inUser('x<title>a</title>'))).to.deep.equal([{ pointer: '', detail: such('id') }]);
    expect(violationsOf(inUser('<roles>x</roles>'))).to.deep.equal([
      { pointer: '/roles', detail: such('role') },
    ]);
    expect(violationsOf(inUser('<attributes>&#160;</attributes>'))).to.deep.equal([
      { pointer: '/attributes', detail: such('attribute') },
    ]);
  });
  it('are reported with their place if items stand outside their list, or values outside of elements', () => {
    expect(violationsOf(inUser('<email>a@b.c</email><role>x</role>'))).to.deep.equal([
      { pointer: '/email', detail: 'must stand inside <emails>' },
      { pointer: '/role', detail: 'must stand inside <roles>' },
    ]);
    expect(
      violationsOf(inUser('<emails><email type="work" kind="x"/></emails>', `${ours} title="x"`)),
    ).to.deep.equal([
      { pointer: '', detail: 'has an attribute that is not known here, title: write <title> inside' },
      { pointer: '/emails/0', detail: 'has an attribute that is not known here, type: write <type> inside' },
    ]);
  });
  it('may have an ampersand in their text only as a reference: a bare one is refused with its place', () => {
    for (const text of ['Müller & Söhne', 'AT&T', 'a&', 'a && b; c'])
      expect(() => violationsOf(inUser(`<title>${text}</title>`)), text)
        .to.throw(UnreadableError, 'an ampersand is written as &amp;')
        .with.deep.include({ position: { line: 1, column: inUser(`<title>${text}`).indexOf('&') + 1 } });
    expect(valueIn('<title>AT&amp;T</title>')).to.deep.equal({ title: 'AT&T' });
  });
  it('may not stand inside text', () => {
    expect(violationsOf(inUser('<title>a<b>c</b></title>'))).to.deep.equal([
      { pointer: '/title', detail: 'must be text, without elements inside' },
    ]);
  });
  it('need a root called user', () => {
    for (const root of ['users', 'User', 'constructor', '__proto__'])
      expect(violationsOf(`<${root} ${ours}/>`).map(({ pointer }) => pointer)).to.deep.equal(['']);
  });
  it('must all have the name of the list’s items within a list', () => {
    const text = inUser('<roles><role>a</role><title>b</title><role>c</role></roles>');
    expect(read(text)).to.deep.equal({
      value: { roles: ['a', 'c'] },
      violations: [{ pointer: '/roles/1', detail: 'must be <role>' }],
    });
  });
  it('of a list make a list also if there is only one', () => {
    expect(valueIn('<roles><role>a</role></roles>')).to.deep.equal({ roles: ['a'] });
  });
  it('of an inner object stand within its element, in any order, and may be removed singly', () => {
    const manager = '<manager><displayName>Mary</displayName><value>7</value></manager>';
    expect(valueIn(`<enterprise>${manager}<department>x</department></enterprise>`)).to.deep.equal({
      enterprise: { manager: { displayName: 'Mary', value: '7' }, department: 'x' },
    });
    const none = '<enterprise><manager><value xsi:nil="1"/></manager></enterprise>';
    expect(valueIn(none, `${ours} ${xsi}`)).to.deep.equal({ enterprise: { manager: { value: null } } });
    const wrong = inUser('<enterprise><manager>7</manager><manager/><boss/></enterprise>');
    expect(violationsOf(wrong)).to.deep.equal([
      { pointer: '/enterprise/manager', detail: 'must have elements inside, such as <value>, not text' },
      { pointer: '/enterprise/manager', detail: 'occurs more than once' },
      { pointer: '/enterprise/boss', detail: 'is not known here' },
    ]);
  });
  it('inside the element attributes need different names', () => {
    const pair = (name: string) => `<attribute name="${name}">x</attribute>`;
    const text = inUser(
      `<attributes><attribute>x</attribute>${pair('a')}${pair('b')}${pair('a')}</attributes>`,
    );
    expect(read(text)).to.deep.equal({
      value: { attributes: { a: 'x', b: 'x' } },
      violations: [
        { pointer: '/attributes', detail: 'must have <attribute name="…"> inside, and nothing else' },
        { pointer: '/attributes/a', detail: 'occurs more than once' },
      ],
    });
  });
  it('inside the element attributes may have the names of members of the prototype', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    const pairs = names.map((name) => `<attribute name="${name}">x</attribute>`).join('');
    const { attributes } = valueIn(`<attributes>${pairs}</attributes>`) as { attributes: object };
    expect(Object.entries(attributes)).to.deep.equal(names.map((name) => [name, 'x']));
  });
  it('of read-only members are read whatever they contain', () => {
    const meta = '<meta a="b"><created/><created/><other>x</other>y</meta>';
    expect(violationsOf(inUser(`${meta}<title>x</title>`))).to.deep.equal([]);
  });
});
