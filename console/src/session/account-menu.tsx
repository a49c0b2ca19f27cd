import { openDialog } from '../address/navigation.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { urlOf } from '../root.ts';
import { helpDialog, keys } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { scopes } from './scopes.ts';
import type { Session } from './session.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** Who is signed in, with which scopes. */
export const AccountMenu = ({ session }: { readonly session: Session }) => (
  <Menu icon="person" class="account" summary={<bdi class="account-name">{session.name}</bdi>}>
    <p class="quiet small">{texts.session.signedInAs}</p>
    <p class="strong">
      <bdi>{session.name}</bdi>
    </p>
    <ul class="scopes" aria-label={texts.session.scopes}>
      {scopes.map((scope) => (
        <li key={scope} class={session.scopes.includes(scope) ? 'granted' : 'quiet'}>
          <code>{scope}</code>{' '}
          {session.scopes.includes(scope) ? texts.session.allowed : texts.session.notAllowed}
        </li>
      ))}
    </ul>
    <a href={urlOf('docs')}>{texts.session.apiDocumentation}</a>
    <button
      type="button"
      aria-keyshortcuts={keys.help}
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget);
        openDialog(helpDialog);
      }}
    >
      {texts.shortcuts.title}
    </button>
    <SignOutButton label={texts.session.signOut} />
  </Menu>
);
