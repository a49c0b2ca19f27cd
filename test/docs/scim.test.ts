import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sortableAttributes } from '../../src/adapters/apis/scim/parameters.ts';
import { coreUrn, schemas } from '../../src/adapters/apis/scim/resource/attributes.ts';

const page = readFileSync('docs/scim.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

describe('The page about SCIM', () => {
  for (const { id, attributes } of schemas)
    for (const { name, subAttributes } of attributes)
      it(`says where ${id === coreUrn ? '' : `${id}:`}${name} is kept, with all that it has`, () => {
        const row = rows.find((line) => line.includes(id === coreUrn ? `\`${name}` : id)) ?? '';
        expect(row).to.include(name);
        for (const sub of subAttributes) expect(row, sub.name).to.include(sub.name);
      });

  it('says that some clients need the public URL', () => {
    expect(page).to.match(/`USERS_PUBLIC_URL`[\s\S]+some clients need\s+whole URLs/);
  });

  it('names what a list is sorted by', () => {
    const sentence = page.split('\n').find((line) => line.includes('`sortBy` takes')) ?? '';
    for (const name of sortableAttributes)
      expect(sentence).to.include(name === 'created' || name === 'lastModified' ? `meta.${name}` : name);
  });
});
