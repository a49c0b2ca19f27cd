import { expect } from 'chai';
import fc from 'fast-check';
import { printAddress, readAddress } from '../../../console/src/address/address.ts';
import { newId } from '../../../console/src/change/new-id.ts';
import { dayOf, daysAgo } from '../../../console/src/language.ts';
import { splitJson, splitXml } from '../../../console/src/resource/lines.ts';
import { labelOf, singularOf } from '../../../console/src/schema/labels.ts';
import { inSentence } from '../../../console/src/texts/en/form.ts';

describe("The console's texts", () => {
  it('have words for the names of members', () => {
    const words = {
      userName: 'User name',
      externalId: 'External ID',
      profileUrl: 'Profile URL',
      x509Certificates: 'X509 certificates',
      ims: 'IMs',
      emails: 'Emails',
      constructor: 'Constructor',
    };
    for (const [name, label] of Object.entries(words)) expect(labelOf(name)).to.equal(label);
    const items = { Emails: 'Email', Addresses: 'Address', IMs: 'IM', 'Phone numbers': 'Phone number' };
    for (const [many, one] of Object.entries(items)) expect(singularOf(many)).to.equal(one);
    expect([inSentence('IM'), inSentence('Phone number')]).to.deep.equal(['IM', 'phone number']);
  });

  it('count days by the calendar, also where clocks were changed', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Amsterdam';
    // The first half hour after the day with 23 hours.
    const now = Date.parse('2026-03-30T00:30');
    const days = [0, 1, 6].map((before) => dayOf(daysAgo(before, now)));
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
    expect(days).to.deep.equal(['2026-03-30', '2026-03-29', '2026-03-24']);
  });

  it('divide JSON into lines without changing it', () => {
    const lines = splitJson('{"a":[{"b":"x,{]}\\\\\\"y"},{}],"c":1,"d":[],"e":true}');
    expect(lines.map(({ depth, text }) => ' '.repeat(depth) + text)).to.deep.equal([
      '{',
      ' "a":[',
      '  {',
      '   "b":"x,{]}\\\\\\"y"',
      '  },',
      '  {',
      '  }',
      ' ],',
      ' "c":1,',
      ' "d":[',
      ' ],',
      ' "e":true',
      '}',
    ]);
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(
          splitJson(text)
            .map((line) => line.text)
            .join(''),
        ).to.equal(text);
      }),
    );
  });

  it('divide XML into lines without changing it', () => {
    const text =
      '<?xml version="1.0"?><user a="1"><id>1</id><x>&lt;\n </x><roles><role>a</role></roles><e/></user>';
    const lines = splitXml(text);
    expect(lines.map((line) => line.text).join('')).to.equal(text);
    expect(lines.map(({ depth }) => depth)).to.deep.equal([0, 0, 1, 1, 1, 2, 1, 1, 0]);
  });

  it('have the whole state of a list in the address', () => {
    const query =
      './users?user=1&search=a+b&active=true&userName=x&sort=-userName&columns=userName%2Cname.familyName&after=abc';
    expect(printAddress(readAddress(query.slice(2)))).to.equal(query);
    for (const address of [
      './',
      './users',
      './users?user=1&tab=history',
      './?dialog=shortcuts',
      './activity',
      './activity?request=019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10',
      './activity?type=user.deleted&type=group.deleted&label=ada+l&by=a+b&from=2026-01-02&to=2026-01-03',
    ])
      expect(printAddress(readAddress(address))).to.equal(address);
    expect(readAddress('?new=').view).to.deep.equal({ name: 'new', kind: 'user' });
    expect(readAddress('?unknown=1&sort=&user=').list).to.deep.equal({
      search: '',
      filters: {},
      sort: '',
      cursor: {},
    });
  });

  it('have the open dialog in the address', () => {
    for (const address of ['./users?search=a&dialog=delete', './groups?group=1&tab=history&dialog=join'])
      expect(printAddress(readAddress(address))).to.equal(address);
    expect(readAddress('?user=1&dialog=')).to.not.have.property('dialog');
  });

  it('have the state of the lists of groups and members in the address', () => {
    for (const address of ['./groups', './groups?new=', './groups?member=1', './groups?group=1&search=a'])
      expect(printAddress(readAddress(address))).to.equal(address);
    const { view, list } = readAddress('/people/console/groups?group=1&active=true');
    expect(view).to.deep.equal({ name: 'one', kind: 'group', id: '1' });
    expect(list.filters).to.deep.equal({ active: 'true' });
    expect(readAddress('/console/?group=1')).to.deep.include({ view: { name: 'list', kind: 'user' } });
    expect(readAddress('/console/?group=1').list.filters).to.deep.equal({ group: '1' });
  });

  it('have ids that are UUIDs of version 7, in the order of time', () => {
    const ids = [newId(0), newId(1_700_000_000_000), newId(1_700_000_000_001)];
    for (const id of ids)
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).to.deep.equal(ids);
    expect(ids[1]?.slice(0, 13)).to.equal('018bcfe5-6800');
  });
});
