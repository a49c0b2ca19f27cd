/**
 * Who uses the console. Kept for this tab only, until signing out. A page has one person's session as long as it is
 * loaded: for another person it is reloaded, so that nothing of the previous person can be sent or shown.
 */
import { Observable, useObservable } from '../parts/observable.ts';
import { type KindName, kinds } from '../schema/kinds.ts';
import { type Credentials, personOf } from './credentials.ts';
import { type Access, isWritable, type Scope } from './scopes.ts';
import { endRequests, sessionEnd, tellDropped, tellDroppedAfterReload, told } from './unfinished.ts';
import { unsaved } from './unsaved.ts';

export interface Session {
  readonly credentials: Credentials;
  /** The name of the person, for display. */
  readonly name: string;
  /** The scopes that the service grants. */
  readonly scopes: readonly Scope[];
  /** Its limits, as they were at the sign-in. */
  readonly profile?: Access['profile'];
  /** The earlier version of the contract that the client is pinned to. */
  readonly contract?: string | undefined;
}

/**
 * `expired`: the service no longer takes the credentials; requests wait until the same person has signed in again. `reloading`: the
 * page is about to be reloaded.
 */
type SessionState =
  | { readonly status: 'signed-out' | 'reloading' }
  | { readonly status: 'signed-in' | 'expired'; readonly session: Session };

const key = 'console.session';

function readSession(): SessionState {
  const text = sessionStorage.getItem(key);
  return text === null ? { status: 'signed-out' } : { status: 'signed-in', session: JSON.parse(text) };
}

export const sessionState = new Observable<SessionState>(readSession());

const keep = (session: Session): void => sessionStorage.setItem(key, JSON.stringify(session));

/** The next person does not see questions to the previous one. */
function closeDialog(): void {
  const url = new URL(location.href);
  url.searchParams.delete('dialog');
  history.replaceState(null, '', url);
}

function reload(): void {
  sessionState.set({ status: 'reloading' });
  location.reload();
}

const isSamePerson = (state: SessionState, { credentials }: Session): boolean =>
  'session' in state
    ? personOf(state.session.credentials) === personOf(credentials)
    : // The first session of this page.
      !sessionEnd.aborted;

export function signIn(session: Session): void {
  if (isSamePerson(sessionState.value, session)) {
    keep(session);
    sessionState.set({ status: 'signed-in', session });
    return;
  }
  const isDropped = endRequests() || unsaved.value > 0;
  sessionStorage.clear();
  keep(session);
  if (isDropped) tellDroppedAfterReload();
  closeDialog();
  reload();
}

/** @param refused the session whose credentials were refused: another one may have begun meanwhile */
export function expire(refused: Session): void {
  const state = sessionState.value;
  if (state.status === 'signed-in' && state.session === refused)
    sessionState.set({ status: 'expired', session: refused });
}

/** Removes everything that the tab has kept. */
export function signOut(): void {
  const isDropped = endRequests();
  sessionStorage.clear();
  if (isDropped) tellDropped();
  else told.set(undefined);
  sessionState.set({ status: 'signed-out' });
}

export const profileOf = (state: SessionState): Access['profile'] =>
  'session' in state ? state.session.profile : undefined;

export const contractOf = (state: SessionState): string | undefined =>
  'session' in state ? state.session.contract : undefined;

/** Whether an access profile shows only a part of them: a resource that leaves this part is shown as deleted. */
export const isPartShown = (kind: KindName): boolean =>
  profileOf(sessionState.value)?.[kinds[kind].plural]?.filtered === true;

export const mayDo = (state: SessionState, scope: Scope): boolean =>
  'session' in state && state.session.scopes.includes(scope);

/** Whether the access profile lets members be changed: fields, or `members`. */
export const mayChange = (kind: KindName, path: string): boolean =>
  isWritable(profileOf(sessionState.value), kind, path);

/** Whether it lets new ones be created. */
export const mayCreate = (kind: KindName): boolean =>
  profileOf(sessionState.value)?.[kinds[kind].plural]?.create !== false;

// The browser may restore a whole page from its cache, after another person has signed in to this tab.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  endRequests();
  reload();
});

/** Whether the signed-in person has the scope. */
export const useScope = (scope: Scope): boolean => mayDo(useObservable(sessionState), scope);
