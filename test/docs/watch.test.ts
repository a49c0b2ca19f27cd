import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const page = readFileSync('docs/operate/watch.md', 'utf8');
const alerts = [...readFileSync('ops/prometheus/alerts.yml', 'utf8').matchAll(/^ *- alert: (\w+)$/gm)].map(
  ([, name]) => name,
);

describe('The page about watching the service', () => {
  it('says what each alert means and what to do', () => {
    const told = [...page.matchAll(/^\| `(Users\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);
    expect(told).to.deep.equal(alerts);
  });
});
