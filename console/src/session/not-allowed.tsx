import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import type { Scope } from './scopes.ts';
import { useScope } from './session.ts';

const sayNeeded = (scope: Scope): string => texts.session.needed(texts.session.access.may[scope]);

/** The title of a disabled control. */
export const sayMissing = (scope: Scope): string => `${sayNeeded(scope)} ${scope}.`;

interface NotAllowedProps {
  /** The missing scopes; without any, nothing is shown. */
  readonly scopes: readonly Scope[];
}

/** Replaces content that the credentials do not allow, or stands beside it. */
export function NotAllowed({ scopes: [first, ...others] }: NotAllowedProps) {
  if (first === undefined) return null;
  return (
    <p class="not-allowed">
      {others.length === 0 ? sayNeeded(first) : texts.session.neededForMore}{' '}
      <code>{[first, ...others].join(', ')}</code>.
    </p>
  );
}

interface AllowedProps {
  readonly scope: Scope;
  readonly children: ComponentChildren;
}

/** Content that needs a scope, or the name of the missing scope. */
export const Allowed = ({ scope, children }: AllowedProps) =>
  useScope(scope) ? children : <NotAllowed scopes={[scope]} />;
