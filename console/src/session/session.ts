/** Who uses the console. Kept for this tab alone, and gone after signing out. */
import { Observable } from '../parts/observable.ts';
import type { Credentials } from './credentials.ts';
import type { Scope } from './scopes.ts';

export interface Session {
  readonly credentials: Credentials;
  /** For people: whose credentials they are. */
  readonly name: string;
  /** Those of ours that the service grants. */
  readonly scopes: readonly Scope[];
}

/** `expired`: the service takes the credentials no more; whoever asks waits until somebody has signed in again. */
export type SessionState =
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in' | 'expired'; readonly session: Session };

const key = 'console.session';

function readSession(): SessionState {
  const text = sessionStorage.getItem(key);
  return text === null ? { status: 'signed-out' } : { status: 'signed-in', session: JSON.parse(text) };
}

export const sessionState = new Observable<SessionState>(readSession());

export function signIn(session: Session): void {
  sessionStorage.setItem(key, JSON.stringify(session));
  sessionState.set({ status: 'signed-in', session });
}

/** @param refused the session whose credentials were: another one may have begun meanwhile */
export function expire(refused: Session): void {
  const state = sessionState.value;
  if (state.status === 'signed-in' && state.session === refused)
    sessionState.set({ status: 'expired', session: refused });
}

/** Takes everything with it that the tab has kept. */
export function signOut(): void {
  sessionStorage.clear();
  sessionState.set({ status: 'signed-out' });
}

export const mayDo = (state: SessionState, scope: Scope): boolean =>
  state.status !== 'signed-out' && state.session.scopes.includes(scope);
