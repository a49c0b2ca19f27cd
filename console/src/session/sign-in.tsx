import { Mark, product, useTitle } from '../parts/brand.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { useObservable } from '../parts/observable.ts';
import { urlOf } from '../root.ts';
import { texts } from '../texts/texts.ts';
import type { Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { told } from './unfinished.ts';

/** Where the console begins. */
export function SignInPage() {
  const words = useObservable(told);
  useTitle('', '');
  return (
    <main class="sign-in">
      <div class="card">
        <Mark />
        <h1>
          <bdi>{product}</bdi>
        </h1>
        <p class="quiet">{texts.session.purpose}</p>
        {words !== undefined && <Notice tone="bad" {...words} />}
        <SignInForm>
          <p class="quiet small">
            {texts.session.keptForTab} <a href={urlOf('docs')}>{texts.session.documentation}</a>.
          </p>
        </SignInForm>
      </div>
    </main>
  );
}

/** Shown over the page: pending requests continue after it. */
export const SignInAgain = ({ session: { name, credentials } }: { readonly session: Session }) => (
  <Dialog title={texts.session.again}>
    <p class="quiet">{texts.session.expired(name)}</p>
    <SignInForm {...(credentials.kind === 'key' ? { id: credentials.id } : {})}>
      <SignOutButton label={texts.session.signOutInstead} />
    </SignInForm>
  </Dialog>
);
