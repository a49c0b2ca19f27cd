import { Icon } from '../parts/icons.tsx';
import { Menu } from '../parts/menu.tsx';
import { urlOf } from '../root.ts';
import { scopes } from './scopes.ts';
import type { Session } from './session.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** Who is signed in, and what that reaches. */
export const AccountMenu = ({ session }: { readonly session: Session }) => (
  <Menu
    class="account"
    summary={
      <>
        <Icon name="person" />
        <bdi class="account-name">{session.name}</bdi>
      </>
    }
  >
    <p class="quiet small">Signed in as</p>
    <p class="account-full">
      <bdi>{session.name}</bdi>
    </p>
    <ul class="scopes" aria-label="Scopes">
      {scopes.map((scope) => (
        <li key={scope} class={session.scopes.includes(scope) ? 'granted' : 'denied'}>
          <code>{scope}</code> {session.scopes.includes(scope) ? 'allowed' : 'not allowed'}
        </li>
      ))}
    </ul>
    <a href={urlOf('docs')}>API documentation</a>
    <SignOutButton label="Sign out" />
  </Menu>
);
