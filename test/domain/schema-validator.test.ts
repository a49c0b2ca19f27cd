import { expect } from 'chai';
import Type from 'typebox';
import { json } from '../../src/adapters/formats/json/json.ts';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { validator } from '../../src/domain/validation/schema-validator.ts';

const naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };

describe('A field added to the schema', () => {
  const Wider = Type.Object(
    {
      ...User.properties,
      department: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
      badges: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { item: 'badge', maxItems: 2 })),
    },
    { additionalProperties: false },
  );
  const user = {
    id: '00000000-0000-7000-8000-000000000000',
    userName: 'ada',
    active: true,
    meta: { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-01T00:00:00.000Z', version: 'v' },
    department: 'R&D',
    badges: ['a', 'b'],
  };

  it('is validated', () => {
    const validate = validator(Wider);
    expect(validate(user).violations).to.deep.equal([]);
    const wrong = validate({ ...user, department: 'too long', badges: ['a', 'bbbb'] });
    expect(wrong.violations).to.deep.equal([
      { pointer: '/department', detail: 'must have at most 5 characters' },
      { pointer: '/badges/1', detail: 'must have at most 3 characters' },
    ]);
    expect(validator(User)(user).violations.map(({ pointer }) => pointer)).to.deep.equal([
      '/department',
      '/badges',
    ]);
  });

  for (const format of [json, xml]) {
    it(`is printed and read in ${format.name}`, () => {
      const codec = format.codec<typeof user>(Wider, naming);
      const printed = codec.print(user);
      expect(runToEnd(codec.read(Buffer.from(printed)))).to.deep.equal({ value: user, violations: [] });
    });
  }

  it('is an element in XML, and a list a wrapper of its items', () => {
    expect(xml.codec<typeof user>(Wider, naming).print(user)).to.include(
      '<department>R&amp;D</department><badges><badge>a</badge><badge>b</badge></badges>',
    );
  });
});

describe('An empty value', () => {
  it("becomes absent, and violations still name positions in the client's document", () => {
    const Thing = Type.Object(
      {
        list: Type.Optional(Type.Array(Type.String({ maxLength: 2 }), { item: 'i' })),
        text: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    );
    const validate = validator(Thing);
    expect(validate({ list: ['', null, []], text: '' }).value).to.deep.equal({});
    expect(validate({ list: ['', 'abc'] }).violations).to.deep.equal([
      { pointer: '/list/1', detail: 'must have at most 2 characters' },
    ]);
    expect(validate({ text: 'a\u0000' }).violations[0]?.detail).to.include('U+0000');
    expect(validate({ text: '\ud800' }).violations[0]?.detail).to.include('U+D800');
  });
});
