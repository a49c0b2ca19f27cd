import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { scimAnswers } from '../support/scim-answers.ts';
import { coreUrn, schemas, sortableAttributes } from '../support/scim-users.ts';

const page = readFileSync('docs/scim.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));
const isRequest = (row: string): boolean => /^\| `[A-Z]+ \//.test(row);

describe('The page about SCIM', () => {
  for (const { id, attributes } of schemas)
    for (const { name, subAttributes } of attributes)
      it(`says where ${id === coreUrn ? '' : `${id}:`}${name} is stored, with all of its parts`, () => {
        const row =
          rows.find((line) => !isRequest(line) && line.includes(id === coreUrn ? `\`${name}` : id)) ?? '';
        expect(row).to.include(name);
        for (const sub of subAttributes) expect(row, sub.name).to.include(sub.name);
      });

  it('has each request, with its scope and its tested statuses', () => {
    const expected = scimAnswers.map(({ method, path, scope, scopes = 'none', success, brief, errors }) => {
      const statuses = [...errors].sort((one, other) => one - other).join(', ');
      const successes =
        brief === undefined
          ? success
          : `${brief}, or ${success} with \`attributes\` or \`excludedAttributes\``;
      return `| \`${method} ${path}\` | ${scope === undefined ? scopes : `\`${scope}\``} | ${successes} | ${statuses} |`;
    });
    expect(rows.filter(isRequest).sort()).to.deep.equal(expected.sort());
  });

  it('says that some clients need the public URL', () => {
    expect(page).to.match(/`USERS_PUBLIC_URL`[\s\S]+some clients need\s+whole URLs/);
  });

  it('names the attributes that a list can be sorted by', () => {
    const sentence = page.split('\n').find((line) => line.includes('`sortBy` takes')) ?? '';
    for (const name of sortableAttributes)
      expect(sentence).to.include(name === 'created' || name === 'lastModified' ? `meta.${name}` : name);
  });
});
