import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AccessPage } from './access/access-page.tsx';
import { type View, wholeActivity } from './address/address.ts';
import { goTo, Link, useAddress, wholeListOf } from './address/navigation.tsx';
import { FailureNotice } from './answers/failure-notice.tsx';
import { type Failure, failureOfError } from './api/failure.ts';
import { keptEdits } from './change/kept-edits.ts';
import { ImportView } from './files/import-view.tsx';
import { ActivityPage } from './history/activity-page.tsx';
import { ListPage } from './list/resource-list.tsx';
import { forgetOpened } from './list/row-link.tsx';
import { searchUsers } from './list/search-box.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { dropAnnouncement, Toast } from './parts/announcement.tsx';
import { Mark, product } from './parts/brand.tsx';
import { Notice } from './parts/notice.tsx';
import { useObservable } from './parts/observable.ts';
import { NewPage, ResourcePage } from './resource/resource-page.tsx';
import { type KindName, kindNames } from './schema/kinds.ts';
import { allFields, loadFields } from './schema/load-fields.ts';
import { AccountMenu } from './session/account-menu.tsx';
import { Allowed } from './session/not-allowed.tsx';
import { isReturning } from './session/provider.ts';
import { returnFromProvider } from './session/return-from-provider.ts';
import { isVisible, scopeOf } from './session/scopes.ts';
import {
  contractOf,
  mayChange,
  mayCreate,
  profileOf,
  type Session,
  sessionState,
  useScope,
} from './session/session.ts';
import { SignInAgain, SignInPage } from './session/sign-in.tsx';
import { told } from './session/unfinished.ts';
import { useShortcut } from './shortcuts/shortcuts.ts';
import { ShortcutsHelp } from './shortcuts/shortcuts-help.tsx';
import { texts } from './texts/texts.ts';
import { WebhooksPage } from './webhooks/webhooks-page.tsx';

/** Links back to unsaved changes. */
function Unsaved() {
  const { view } = useAddress();
  const edits = useObservable(keptEdits);
  const here = view.name === 'one' && view.tab === 'edit' ? view.id : '';
  const edit = [...edits.values()].find(({ id }) => id !== here);
  if (edit === undefined || view.name === 'new') return null;
  const { kind, id, base, name } = edit;
  return (
    <Link
      class="unsaved"
      view={base === undefined ? { name: 'new', kind } : { name: 'one', kind, id, tab: 'edit' }}
    >
      {texts.page.unsaved} <bdi>{name === '' ? texts.kinds[kind].new : name}</bdi>
    </Link>
  );
}

const TopBar = ({ session, view }: { readonly session: Session; readonly view: View }) => (
  <header class="top">
    <a class="skip" href="#main">
      {texts.page.skip}
    </a>
    <Link class="brand" view={{ name: 'overview' }}>
      <Mark />
      <bdi>{product}</bdi>
    </Link>
    <nav class="kinds" aria-label={texts.page.directory}>
      <Link class="wide-only" view={{ name: 'overview' }} isCurrent={view.name === 'overview'}>
        {texts.page.overview.title}
      </Link>
      {kindNames.map((kind) => (
        <Link
          key={kind}
          isCurrent={'kind' in view && view.kind === kind}
          view={{ name: 'list', kind }}
          list={wholeListOf(kind)}
          onFollow={forgetOpened}
        >
          {texts.kinds[kind].plural}
        </Link>
      ))}
      <Link isCurrent={view.name === 'activity'} view={wholeActivity}>
        {texts.history.activity}
      </Link>
    </nav>
    <Unsaved />
    <AccountMenu session={session} />
  </header>
);

function CurrentView({ view }: { readonly view: View }) {
  const fields = useObservable(allFields);
  const [failure, setFailure] = useState<Failure>();
  const load = () => {
    setFailure(undefined);
    const profile = profileOf(sessionState.value);
    const allows = (kind: KindName, path: string) => ({
      isVisible: isVisible(profile, kind, path),
      isWritable: mayChange(kind, path),
    });
    loadFields(allows, contractOf(sessionState.value)).catch((error) =>
      setFailure(failureOfError(error, false)),
    );
  };
  useEffect(load, []);
  if (failure !== undefined)
    return (
      <main>
        <FailureNotice failure={failure} retry={load} />
      </main>
    );
  if (fields === undefined) return null;
  if (view.name === 'overview') return <OverviewPage />;
  if (view.name === 'access') return <AccessPage />;
  if (view.name === 'webhooks') return <WebhooksPage />;
  if (view.name === 'activity') return <ActivityPage view={view} />;
  if (!('kind' in view)) return null;
  const { kind } = view;
  if (view.name === 'import') return <ImportView kind={kind} />;
  if (view.name === 'list') return <ListPage key={kind} kind={kind} />;
  return (
    <main class="resource">
      <Allowed scope={scopeOf(kind, view.name === 'new' ? 'write' : 'read')}>
        {view.name === 'one' ? (
          <ResourcePage key={`${kind}.${view.id}`} of={{ kind, id: view.id }} tab={view.tab} />
        ) : (
          <NewPage key={kind} kind={kind} />
        )}
      </Allowed>
    </main>
  );
}

/** Moves the focus to the top of each new view, also after the sign-in form. */
function useFocusOnView(key: string, followsForm: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(followsForm ? undefined : key);
  // At once: a field of the view may take the focus in the next frame.
  useLayoutEffect(() => {
    const isFirst = before.current === undefined;
    if (before.current === key) return;
    before.current = key;
    element.current?.focus({ preventScroll: true });
    if (isFirst) return;
    dropAnnouncement();
    told.set(undefined);
  }, [key]);
  return element;
}

/** Filters of the activity and tabs of a resource leave the focus where it is. */
const viewKeyOf = (view: View): string =>
  view.name === 'activity' ? view.name : JSON.stringify({ ...view, tab: undefined });

/** Whether the view has a search, or filters, that the key for searching leads to. */
const hasSearch = (view: View): boolean =>
  view.name === 'list' || view.name === 'activity' || (view.name === 'one' && view.kind === 'group');

interface SignedInProps {
  readonly session: Session;
  readonly isExpired: boolean;
  /** The person has just signed in with the form of this page. */
  readonly followsForm: boolean;
}

function SignedIn({ session, isExpired, followsForm }: SignedInProps) {
  const { view } = useAddress();
  const words = useObservable(told);
  const main = useFocusOnView(viewKeyOf(view), followsForm);
  const kind = 'kind' in view ? view.kind : 'user';
  const isOffered = useScope(scopeOf(kind, 'write')) && mayCreate(kind);
  useShortcut('create', isOffered ? () => goTo({ view: { name: 'new', kind } }) : undefined);
  useShortcut('undo', () => document.querySelector<HTMLElement>('.toast > .plain')?.click());
  useShortcut('search', hasSearch(view) ? undefined : searchUsers);
  return (
    <>
      <TopBar session={session} view={view} />
      <div id="main" tabIndex={-1} ref={main}>
        {words !== undefined && <Notice tone="warning" {...words} news={words} />}
        <CurrentView view={view} />
      </div>
      <Toast />
      <ShortcutsHelp />
      {isExpired && <SignInAgain session={session} />}
    </>
  );
}

/** The whole page: signing in first, then the view of the address. */
export function Console() {
  const state = useObservable(sessionState);
  const [isWaiting, setWaiting] = useState(isReturning);
  const hasForm = useRef(false);
  useEffect(() => {
    if (!isWaiting) return;
    returnFromProvider().then((refusal) => {
      if (refusal !== undefined) told.set(refusal);
      setWaiting(false);
    });
  }, []);
  if (isWaiting || state.status === 'reloading') return <main class="sign-in">{texts.page.signingIn}</main>;
  if (!('session' in state)) {
    hasForm.current = true;
    return <SignInPage />;
  }
  const isExpired = state.status === 'expired';
  return <SignedIn session={state.session} isExpired={isExpired} followsForm={hasForm.current} />;
}
