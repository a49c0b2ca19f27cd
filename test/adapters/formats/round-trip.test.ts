import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { json } from '../../../src/adapters/formats/json/json.ts';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { maxUserBytes, User } from '../../../src/domain/kinds/user/user.ts';
import { validator } from '../../../src/domain/validation/schema-validator.ts';
import { naming } from '../../contract/format.ts';
import { needed } from '../../outside/tools.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { runs } from '../../support/runs.ts';
import { anyUser, largestUser } from '../../support/users.ts';

const inJson = json.codec<User>(User, naming);
const inXml = xml.codec<User>(User, naming);

/** With a byte order mark. */
const utf16 = {
  'little-endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'big-endian': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
};

describe('A user that is converted between both formats', () => {
  it('is identical after conversion from JSON to XML and back', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const before = inJson.print(user);
        const throughJson = runToEnd(inJson.read(Buffer.from(before))).value as User;
        const throughXml = runToEnd(inXml.read(Buffer.from(inXml.print(throughJson)))).value as User;
        expect(inJson.print(throughXml)).to.equal(before);
      }),
      { numRuns: runs(600) },
    );
  });

  it('is identical after conversion from XML to JSON and back', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const before = inXml.print(user);
        const throughXml = runToEnd(inXml.read(Buffer.from(before))).value as User;
        const throughJson = runToEnd(inJson.read(Buffer.from(inJson.print(throughXml)))).value as User;
        expect(inXml.print(throughJson)).to.equal(before);
      }),
      { numRuns: runs(300) },
    );
  });

  it('takes exactly the allowed number of bytes if it is the largest possible one', () => {
    expect(Buffer.byteLength(inJson.print(largestUser()))).to.equal(maxUserBytes);
  });

  it('is read with every member that a user may have, also with a type on each element and each text in CDATA', () => {
    const user = fullestUser();
    expect(validator(User)(user).violations).to.deep.equal([]);
    expect(Buffer.byteLength(inJson.print(user))).to.be.at.most(maxUserBytes);
    expect(runToEnd(inJson.read(Buffer.from(inJson.print(user))))).to.deep.equal({
      value: user,
      violations: [],
    });
    const marked = inXml
      .print(user)
      .replace(/<([a-z0-9]+)/gi, '<$1 i:type="a"')
      .replace(/>([^<>?]+)</g, '><![CDATA[$1]]><')
      .replace('<user', '<user xmlns:i="http://www.w3.org/2001/XMLSchema-instance"');
    expect(marked.split('i:type')).to.have.lengthOf.above(1000);
    expect(runToEnd(inXml.read(Buffer.from(marked)))).to.deep.equal({ value: user, violations: [] });
  });

  for (const [order, encode] of Object.entries(utf16)) {
    it(`fits into a request in XML in UTF-16, ${order}, also if it is the largest`, () => {
      const bytes = encode(inXml.print(largestUser()));
      expect(bytes.length).to.be.below(256 * 1024);
      const { value, violations } = runToEnd(inXml.read(bytes));
      expect(violations).to.deep.equal([]);
      expect(value).to.deep.include({ attributes: largestUser().attributes });
    });
  }

  it('is valid XML for xmllint', function () {
    needed(this, 'xmllint');
    const folder = mkdtempSync(join(tmpdir(), 'xml-'));
    try {
      const files = [...fc.sample(anyUser(), 400), largestUser()].map((user, index) => {
        const file = join(folder, `${index}.xml`);
        writeFileSync(file, inXml.print(user));
        return file;
      });
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...files], { encoding: 'utf8' });
      expect(stderr).to.equal('');
      expect(status).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
