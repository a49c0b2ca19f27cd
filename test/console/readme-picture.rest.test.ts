import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { setStage, settledList, takePicture } from './stage.ts';

/** In bytes. */
const maxSize = 150_000;
const picture = 'docs/console.png';

const people = [
  ['ada', 'Ada Lovelace', 'Mathematician', true],
  ['grace', 'Grace Hopper', 'Rear admiral', true],
  ['edsger', 'Edsger W. Dijkstra', 'Professor', false],
  ['zoë', 'Zoë Quinn', 'Engineer', true],
  ['barbara', 'Barbara Liskov', 'Institute professor', true],
  ['nguyen', 'Nguyễn Thị Hoa', 'Analyst', true],
  ['donald', 'Donald Knuth', 'Author', true],
  ['siobhan', 'Siobhán Ní Bhriain', 'Head of facilities', true],
  ['jose', 'José García Márquez', 'Controller', false],
  ['bjork', 'Björk Guðmundsdóttir', 'Consultant', true],
] as const;

describe("The README's picture of the console", () => {
  const stage = setStage();

  it('is created here as build/screenshots/readme.png, to be copied to docs/console.png', async () => {
    for (const [userName, displayName, title, active] of people)
      await stage.create({
        userName,
        displayName,
        title,
        active,
        emails: [{ value: `${userName.normalize('NFKD').replace(/\P{ASCII}/gu, '')}@example.com` }],
      });
    const query = '?columns=displayName,title,active,emails';
    const page = await stage.open({ query, browser: { viewport: { width: 1120, height: 690 } } });
    await settledList(page);
    await page.locator('.total', { hasText: '10 users' }).waitFor();
    await page.getByLabel('Select edsger').check();
    await page.getByLabel('Select jose').check();
    await takePicture(page, 'readme');
    expect(statSync('build/screenshots/readme.png').size).to.be.below(maxSize);
  });

  it('is small and linked in the README', () => {
    expect(statSync(picture).size).to.be.below(maxSize);
    expect(readFileSync('README.md', 'utf8')).to.include(`](${picture})`);
  });
});
