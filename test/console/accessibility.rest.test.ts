import { itIsAccessible, setUsersOnStage } from './accessible-screens.ts';

describe('The console, for all users, on every screen', () => {
  itIsAccessible('other', setUsersOnStage());
});
