import { Dialog } from '../parts/dialog.tsx';
import { urlOf } from '../root.ts';
import { signOut } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Where the console begins. */
export const SignInPage = () => (
  <main class="sign-in">
    <div class="card">
      <h1>Users</h1>
      <p class="quiet">Sign in to look people up and to change what is known of them.</p>
      <SignInForm>
        <p class="quiet small">
          Kept for this tab only. The API and how to get a key: <a href={urlOf('docs')}>documentation</a>.
        </p>
      </SignInForm>
    </div>
  </main>
);

/** Over the page as it was: whatever waits for an answer goes on after it. */
export const SignInAgain = () => (
  <Dialog title="Sign in again">
    <p class="quiet">
      Your credentials are not taken any more: they may have expired. Nothing that you have typed is lost.
    </p>
    <SignInForm>
      <button type="button" class="plain" onClick={signOut}>
        Sign out instead
      </button>
    </SignInForm>
  </Dialog>
);
