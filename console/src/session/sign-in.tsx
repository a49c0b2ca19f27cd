import { Dialog } from '../parts/dialog.tsx';
import type { Words } from '../parts/notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useTitle } from '../parts/use-title.ts';
import { urlOf } from '../root.ts';
import { texts } from '../texts/texts.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Where the console begins. */
export const SignInPage = ({ told }: { readonly told: Words | undefined }) => {
  useTitle('', texts.session.directory);
  return (
    <main class="sign-in">
      <div class="card">
        <h1>{texts.session.directory}</h1>
        <p class="quiet">{texts.session.purpose}</p>
        {told !== undefined && <Notice tone="bad" {...told} />}
        <SignInForm>
          <p class="quiet small">
            {texts.session.keptForTab} <a href={urlOf('docs')}>{texts.session.documentation}</a>.
          </p>
        </SignInForm>
      </div>
    </main>
  );
};

/** Over the page as it was: whatever waits for an answer goes on after it. */
export const SignInAgain = ({ name }: { readonly name: string }) => (
  <Dialog title={texts.session.again}>
    <p class="quiet">{texts.session.expired(name)}</p>
    <SignInForm>
      <SignOutButton label={texts.session.signOutInstead} />
    </SignInForm>
  </Dialog>
);
