/** A service with twelve users, for tests of their groups. */
import type { Page } from 'playwright-core';
import { type Stage, setStage } from './stage.ts';

export const total = (page: Page, text: string) => page.locator('.total', { hasText: text }).waitFor();

/** Chooses what a field offers for the text. */
export const pick = async (page: Page, label: string, typed: string, name: string) => {
  await page.getByLabel(label).first().fill(typed);
  await page.getByRole('listbox', { name: label }).getByRole('option', { name }).click();
};

interface GroupsStage {
  readonly stage: Stage;
  /** The ids of the users. */
  readonly people: readonly string[];
  open(query: string, scopes?: readonly string[]): Promise<Page>;
  /** Their user names. */
  membersOf(id: string): Promise<string[]>;
}

/** To be called in `describe`. */
export function setGroupsStage(): GroupsStage {
  const stage = setStage();
  const people: string[] = [];

  before('twelve users are made', async () => {
    for (let index = 0; index < 12; index++) {
      const userName = `person${String(index).padStart(2, '0')}`;
      people.push((await stage.create({ userName, displayName: `Ada ${index}` })).id);
    }
  });

  async function membersOf(id: string): Promise<string[]> {
    const { users } = (await (await stage.ask(`/users?group=${id}&sort=userName`)).json()) as {
      users: { userName: string }[];
    };
    return users.map(({ userName }) => userName);
  }
  async function open(query: string, scopes?: readonly string[]): Promise<Page> {
    return stage.open({ query, ...(scopes === undefined ? {} : { scopes }) });
  }

  return { stage, people, open, membersOf };
}
