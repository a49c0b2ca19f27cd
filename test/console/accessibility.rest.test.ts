import { checkLooks, itIsAccessible, setUsersOnStage } from './accessible-screens.ts';
import { settledPage } from './stage.ts';

describe('The console, for all users, on every screen', () => {
  const scene = setUsersOnStage();
  itIsAccessible('usual', scene);
  itIsAccessible('other', scene);
});

describe('The console in German, whose words are longer, on every screen', () => {
  const scene = setUsersOnStage();

  for (const [name, address] of [
    ['list', () => ''],
    ['user', () => `?user=${scene.id()}`],
    ['access', () => 'access'],
    ['history', () => `?user=${scene.id()}&tab=history`],
    ['group', () => `groups?group=${scene.group()}`],
    ['activity', () => 'activity'],
  ] as const)
    it(`fits the window and passes axe: ${name}`, async () => {
      const page = await scene.stage.open({ query: address(), browser: { locale: 'de-DE' } });
      await settledPage(page);
      await checkLooks(page, `${name} de`);
    });
});
