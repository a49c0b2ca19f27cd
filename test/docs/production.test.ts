import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const page = readFileSync('docs/production.md', 'utf8');
const alerts = [...readFileSync('ops/prometheus/alerts.yml', 'utf8').matchAll(/^ *- alert: (\w+)$/gm)].map(
  ([, name]) => name,
);

describe('The operator’s handbook', () => {
  it('says of each alert what it means and what to do', () => {
    const told = [...page.matchAll(/^\| `(Users\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);
    expect(told).to.deep.equal(alerts);
  });

  it('has each place that it leads to within itself', () => {
    const places = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, place] of page.matchAll(/\]\(#([a-z0-9-]+)\)/g)) expect(places).to.include(place);
  });
});
