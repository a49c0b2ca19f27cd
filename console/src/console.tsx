import { useEffect, useState } from 'preact/hooks';
import { Link, useAddress } from './address/navigation.tsx';
import { UserList } from './list/user-list.tsx';
import { Notice } from './parts/notice.tsx';
import { useObservable } from './parts/observable.ts';
import { loadUserFields, userFields } from './schema/json-schema.ts';
import { AccountMenu } from './session/account-menu.tsx';
import { type Session, sessionState } from './session/session.ts';
import { SignInAgain, SignInPage } from './session/sign-in.tsx';
import { NewUserPage, UserPage } from './user/user-page.tsx';

const TopBar = ({ session }: { readonly session: Session }) => (
  <header class="top">
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <Link class="brand" view={{ name: 'list' }}>
      Users
    </Link>
    <AccountMenu session={session} />
  </header>
);

function CurrentView() {
  const { view, list } = useAddress();
  const fields = useObservable(userFields);
  const [isMissing, setMissing] = useState(false);
  const load = () => {
    setMissing(false);
    loadUserFields().catch(() => setMissing(true));
  };
  useEffect(load, []);
  if (isMissing)
    return (
      <Notice tone="bad" title="The service does not answer">
        <button type="button" onClick={load}>
          Try again
        </button>
      </Notice>
    );
  if (fields === undefined) return null;
  if (view.name === 'list') return <UserList list={list} fields={fields} />;
  return (
    <main class="user">
      {view.name === 'new' ? (
        <NewUserPage fields={fields} />
      ) : (
        <UserPage key={view.id} id={view.id} fields={fields} />
      )}
    </main>
  );
}

/** The page as a whole: signing in first, and then what the address says. */
export function Console() {
  const state = useObservable(sessionState);
  if (state.status === 'signed-out') return <SignInPage />;
  return (
    <>
      <TopBar session={state.session} />
      <div id="main">
        <CurrentView />
      </div>
      {state.status === 'expired' && <SignInAgain />}
    </>
  );
}
