import Database from 'better-sqlite3';
import { expect } from 'chai';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import { printKeyRules } from '../../../../src/domain/find/keys.ts';
import { groupKind } from '../../../../src/domain/kinds/group/kind.ts';
import { refused } from '../../../contract/refusals.ts';
import { aGroup } from '../../../support/a-group.ts';
import { giveFile, openAt } from './a-file.ts';

describe('A file whose names of groups were mapped by the first release', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('gets its names mapped anew when it is opened', async () => {
    const displayName = '\u{1FFFD} Ärzte';
    const group = aGroup({ displayName });
    const store = await openAt(file);
    await store.groups.insert(group);
    await store.close();
    const db = new Database(file);
    // The earlier mapping composed no name with such a character.
    db.prepare('UPDATE groups SET name_key = ?').run(displayName.toLowerCase().normalize('NFD'));
    db.prepare("UPDATE key_rules SET rules = ? WHERE kind = 'group'").run(
      printKeyRules({ ...groupKind.keyRules, mapping: 1 }),
    );
    db.close();
    const again = await openAt(file);
    await refused(
      again.groups.insert(aGroup({ displayName: '\u{1FFFD} a\u0308RZTE' })),
      'display-name-taken',
    );
    expect((await again.groups.list({ where: matchAll, limit: 2 })).map(({ id }) => id)).to.deep.equal([
      group.id,
    ]);
    await again.close();
  });
});
