import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const sections = readFileSync('docs/decisions.md', 'utf8').split(/^(?=## )/m);

describe('The page about decisions', () => {
  it('has complete sections: a unique heading, and text that ends with a sentence or a table', () => {
    const titles = sections.map((section) => section.split('\n', 1)[0]);
    expect(new Set(titles).size).to.equal(titles.length);
    for (const section of sections) expect(section.trimEnd(), section.slice(0, 60)).to.match(/[.:|`]$/);
  });
});
