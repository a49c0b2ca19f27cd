import { Dialog } from '../parts/dialog.tsx';
import type { Words } from '../parts/notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useTitle } from '../parts/use-title.ts';
import { urlOf } from '../root.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Where the console begins. */
export const SignInPage = ({ told }: { readonly told: Words | undefined }) => {
  useTitle('');
  return (
    <main class="sign-in">
      <div class="card">
        <h1>Users</h1>
        <p class="quiet">Sign in to look people up and to change what is known of them.</p>
        {told !== undefined && (
          <Notice tone="bad" title={told.title}>
            <p>{told.text}</p>
          </Notice>
        )}
        <SignInForm>
          <p class="quiet small">
            Kept for this tab only. The API and how to get a key: <a href={urlOf('docs')}>documentation</a>.
          </p>
        </SignInForm>
      </div>
    </main>
  );
};

/** Over the page as it was: whatever waits for an answer goes on after it. */
export const SignInAgain = () => (
  <Dialog title="Sign in again">
    <p class="quiet">
      Your credentials are not taken any more: they may have expired. Nothing that you have typed is lost.
    </p>
    <SignInForm>
      <SignOutButton label="Sign out instead" />
    </SignInForm>
  </Dialog>
);
