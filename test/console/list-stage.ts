/** A service with 120 users, whose list is shown. */
import type { Page } from 'playwright-core';
import { type Stage, setStage, settledList } from './stage.ts';

export const search = (page: Page) => page.getByRole('searchbox', { name: 'Search users' });
export const total = (page: Page, text: string) => page.locator('.total', { hasText: text }).waitFor();

interface ListStage {
  readonly stage: Stage;
  /** The list, when its rows are there. */
  open(query?: string): Promise<Page>;
  idOf(userName: string): Promise<string | undefined>;
}

/** To be called in `describe`. */
export function setListStage(): ListStage {
  const stage = setStage();

  before('120 users are made', async () => {
    for (let index = 0; index < 120; index++)
      await stage.create({
        userName: `user${String(index).padStart(3, '0')}`,
        displayName: index % 2 === 0 ? `Zoë ${index}` : `Ada ${index}`,
        active: index % 10 !== 0,
        emails: [{ value: `home${index}@example.com` }, { value: `work${index}@example.com`, primary: true }],
        roles: index < 3 ? ['engineer', 'manager'] : ['engineer'],
        enterprise: { department: `Department ${index % 4}` },
      });
  });

  async function open(query = '') {
    const page = await stage.open({ query });
    await settledList(page);
    return page;
  }
  const idOf = async (userName: string): Promise<string | undefined> =>
    ((await (await stage.ask(`/users?userName=${userName}`)).json()) as { users: { id: string }[] }).users[0]
      ?.id;

  return { stage, open, idOf };
}
