import { useLayoutEffect, useState } from 'preact/hooks';
import { Link, openDialog } from '../address/navigation.tsx';
import { chooseLanguage, type Language, language, languages } from '../language.ts';
import { Segments } from '../parts/fields.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { urlOf } from '../root.ts';
import { helpDialog, keys } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { chooseTheme, chosenTheme, themes } from '../theme.ts';
import { type Session, useScope } from './session.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** Set while the page is loaded again in another language. */
const reopens = 'console.menu';

/** Who is signed in, and choices for this browser. */
export function AccountMenu({ session }: { readonly session: Session }) {
  const [theme, setTheme] = useState(chosenTheme);
  useLayoutEffect(() => {
    if (sessionStorage.getItem(reopens) === null) return;
    sessionStorage.removeItem(reopens);
    const chosen = document.querySelector<HTMLElement>('.account :checked');
    chosen?.closest('details')?.setAttribute('open', '');
    chosen?.focus();
  }, []);
  return (
    <Menu icon="person" class="account" summary={<bdi class="account-name">{session.name}</bdi>}>
      <p class="quiet small">{texts.session.signedInAs}</p>
      <p class="strong">
        <bdi>{session.name}</bdi>
      </p>
      <Link view={{ name: 'access' }}>{texts.session.access.title}</Link>
      {useScope('changes:read') && <Link view={{ name: 'webhooks' }}>{texts.webhooks.title}</Link>}
      <Segments
        label={texts.session.language}
        name="language"
        value={language}
        options={Object.entries(languages) as [Language, string][]}
        onChoose={(one) => {
          sessionStorage.setItem(reopens, one);
          chooseLanguage(one);
        }}
      />
      <Segments
        label={texts.session.theme}
        name="theme"
        value={theme}
        options={themes.map((one) => [one, texts.session.themes[one || 'system']])}
        onChoose={(one) => {
          chooseTheme(one);
          setTheme(one);
        }}
      />
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
}
