import { useObservable } from '../parts/observable.ts';
import type { Scope } from './scopes.ts';
import { mayDo, sessionState } from './session.ts';

/** Whether the signed-in person has the scope. */
export const useScope = (scope: Scope): boolean => mayDo(useObservable(sessionState), scope);
