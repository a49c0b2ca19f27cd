import { expect } from 'chai';
import Type from 'typebox';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { validator } from '../../../src/domain/validation/schema-validator.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { codec } from './csv-table.ts';

/** What the first row makes of a user who is there. */
const edited = async (file: string, user: User, options = {}): Promise<unknown> => {
  const { rows } = await readFile(codec, file, options);
  return rows[0]?.edit?.(structuredClone(user));
};

describe('A table of users in CSV that replaces existing users', () => {
  const there = aUser({
    title: 'Boss',
    emails: [{ value: 'a@b', type: 'work' }, { value: 'c@d' }],
    roles: ['x', 'y'],
    attributes: { a: '1', b: '2' },
  });

  it('changes only the members that its cells have', async () => {
    const file =
      'title,nickName,emails.0.type,emails.1.value,roles,attributes.b,attributes.c,name.givenName\n';
    expect(await edited(`${file}Chief,,home,,z,,3,Jan\n`, there)).to.deep.equal({
      ...there,
      title: 'Chief',
      emails: [{ value: 'a@b', type: 'home' }, { value: 'c@d' }],
      roles: ['z'],
      attributes: { a: '1', b: '2', c: '3' },
      name: { givenName: 'Jan' },
    });
  });

  it('removes the members of its empty cells on request', async () => {
    const file = 'title,emails.0.type,emails.1.value,emails.4.value,roles,attributes.b,name.givenName\n';
    const { title: _, roles: __, ...rest } = there;
    const result = await edited(`${file}"",,,,,,Jan\n`, there, { emptyRemoves: true });
    expect(result).to.deep.equal({
      ...rest,
      emails: [{ value: 'a@b' }, {}],
      attributes: { a: '1' },
      name: { givenName: 'Jan' },
    });
    expect(validator(Type.Object({ emails: Type.Array(Type.Unknown()) }))(result).value).to.have.property(
      'emails',
    );
  });

  it('removes both members of an empty cell that is two columns', async () => {
    const both = { ...there, externalId: 'a@b' };
    const result = await edited('title,externalId+emails.0.value\nBoss,\n', both, { emptyRemoves: true });
    expect(result).to.deep.equal({ ...there, emails: [{ type: 'work' }, { value: 'c@d' }] });
  });

  it('leaves a user unchanged that was printed with the same columns', async () => {
    const file = printFile(codec, [there]);
    for (const emptyRemoves of [true, false])
      expect(await edited(file, there, { emptyRemoves })).to.deep.equal(there);
  });
});
