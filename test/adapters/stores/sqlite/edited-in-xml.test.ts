import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { xml } from '../../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { naming } from '../../../contract/format.ts';
import { aUser } from '../../../support/a-user.ts';
import { clients } from '../../../support/clients.ts';
import { startService } from '../../../support/service.ts';
import { aFolder, openAt } from './a-file.ts';

const codec = xml.codec<User>(User, naming);

/** Texts of users that someone may have edited by hand. */
const edits: Record<string, (text: string) => string> = {
  'an end tag and another user in a name': (text) =>
    text.replace('"plain"', '"</displayName></user><user><userName>root</userName>"'),
  'an end of CDATA, a comment and a reference': (text) => text.replace('"plain"', '"]]><!--&lt;&#65;"'),
  'the same in the name of an attribute': (text) => text.replace('"floor"', '"a\\"><x/><b name=\\"c"'),
  'escapes for characters that need none': (text) => text.replace('"plain"', '"\\u003cb\\u003e\\/"'),
  'spaces and line ends between members': (text) => JSON.stringify(JSON.parse(text), undefined, 2),
  'its members in another order': (text) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())),
  'a member twice': (text) => text.replace('"active":', '"displayName":"last","active":'),
  'names of attributes that are numbers': (text) => text.replace('"floor"', '"10":"x","2"'),
};

describe('A user whose text in SQLite was edited by hand', () => {
  for (const [what, edit] of Object.entries(edits)) {
    const unreported = what.includes('attribute');
    it(`is the same in XML and JSON, and no other user changes: ${what}`, async () => {
      const folder = aFolder();
      const file = join(folder.path, 'users.db');
      const store = await openAt(file);
      const service = await startService({}, store);
      try {
        const user = aUser({ displayName: 'plain', attributes: { floor: '2' } });
        const others = Array.from({ length: 5 }, () => aUser({ name: { givenName: 'b', familyName: 'a' } }));
        for (const one of [...others, user]) await store.insert(Stored.of(one));
        const db = new Database(file);
        const text = edit(JSON.stringify(user));
        expect(text).not.to.equal(JSON.stringify(user));
        db.prepare('UPDATE users SET document = ? WHERE id = ?').run(text, user.id);
        db.close();

        const asJson = (await service.send('/users', { unreported })).json().users as unknown as User[];
        expect(asJson).to.have.length(6);
        const list = await service.send('/users', { headers: clients.XML.read, unreported });
        const { open, close, item } = codec.list;
        expect(list.text).to.equal(open() + asJson.map(item).join('') + close);
        const one = await service.send(`/users/${user.id}`, { headers: clients.XML.read, unreported });
        const edited = asJson.find(({ id }) => id === user.id);
        expect(one.text).to.equal(codec.print(edited as User));
      } finally {
        await service.close();
        await folder.remove();
      }
    });
  }
});
