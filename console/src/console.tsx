import { useEffect, useRef, useState } from 'preact/hooks';
import type { Address } from './address/address.ts';
import { Link, useAddress } from './address/navigation.tsx';
import { keptEdits } from './change/kept-edits.ts';
import { UserList } from './list/user-list.tsx';
import { dropAnnouncement } from './parts/announcement.tsx';
import { Notice } from './parts/notice.tsx';
import { useObservable } from './parts/observable.ts';
import { loadUserFields, userFields } from './schema/json-schema.ts';
import { AccountMenu } from './session/account-menu.tsx';
import { isReturning } from './session/provider.ts';
import { returnFromProvider } from './session/return-from-provider.ts';
import { type Session, sessionState } from './session/session.ts';
import { SignInAgain, SignInPage } from './session/sign-in.tsx';
import { told } from './session/unfinished.ts';
import { NewUserPage, UserPage } from './user/user-page.tsx';

/** Leads back to changes that wait to be saved. */
function Unsaved({ view }: Pick<Address, 'view'>) {
  const edits = useObservable(keptEdits);
  const here = view.name === 'user' ? view.id : '';
  const [id, edit] = [...edits].find(([of]) => of !== here) ?? [];
  if (id === undefined || edit === undefined || view.name === 'new') return null;
  return (
    <Link class="unsaved" view={edit.base === undefined ? { name: 'new' } : { name: 'user', id }}>
      Unsaved: <bdi>{edit.name === '' ? 'a new user' : edit.name}</bdi>
    </Link>
  );
}

const TopBar = ({ session, view }: { readonly session: Session } & Pick<Address, 'view'>) => (
  <header class="top">
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <Link class="brand" view={{ name: 'list' }}>
      Users
    </Link>
    <Unsaved view={view} />
    <AccountMenu session={session} />
  </header>
);

function CurrentView({ view, list }: Address) {
  const fields = useObservable(userFields);
  const [isMissing, setMissing] = useState(false);
  const load = () => {
    setMissing(false);
    loadUserFields().catch(() => setMissing(true));
  };
  useEffect(load, []);
  if (isMissing)
    return (
      <main>
        <Notice tone="bad" title="The service does not answer">
          <p class="actions">
            <button type="button" onClick={load}>
              Try again
            </button>
          </p>
        </Notice>
      </main>
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

/** Whoever goes from view to view by the keyboard begins at the top of each. */
function useFocusOnView(key: string) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    element.current?.focus({ preventScroll: true });
    dropAnnouncement();
    told.set(undefined);
  }, [key]);
  return element;
}

function SignedIn({ session, isExpired }: { readonly session: Session; readonly isExpired: boolean }) {
  const address = useAddress();
  const words = useObservable(told);
  const main = useFocusOnView(JSON.stringify(address.view));
  return (
    <>
      <TopBar session={session} view={address.view} />
      <div id="main" tabIndex={-1} ref={main}>
        {words !== undefined && (
          <Notice tone="warning" title={words.title}>
            <p>{words.text}</p>
          </Notice>
        )}
        <CurrentView {...address} />
      </div>
      {isExpired && <SignInAgain />}
    </>
  );
}

/** The page as a whole: signing in first, and then what the address says. */
export function Console() {
  const state = useObservable(sessionState);
  const [isWaiting, setWaiting] = useState(isReturning);
  const words = useObservable(told);
  useEffect(() => {
    if (!isWaiting) return;
    returnFromProvider().then((refusal) => {
      if (refusal !== undefined) told.set(refusal);
      setWaiting(false);
    });
  }, []);
  if (isWaiting || state.status === 'reloading') return <main class="sign-in">Signing in…</main>;
  if (!('session' in state)) return <SignInPage told={words} />;
  return <SignedIn session={state.session} isExpired={state.status === 'expired'} />;
}
