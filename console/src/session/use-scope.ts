import { useObservable } from '../parts/observable.ts';
import type { Scope } from './scopes.ts';
import { mayDo, sessionState } from './session.ts';

/** Whether whoever is signed in may do what takes the scope. */
export const useScope = (scope: Scope): boolean => mayDo(useObservable(sessionState), scope);
