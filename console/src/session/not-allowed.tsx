import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import type { Scope } from './scopes.ts';
import { useScope } from './session.ts';

interface NotAllowedProps {
  readonly scope: Scope;
}

/** The title of a disabled control. */
export const sayMissing = (scope: Scope): string => `${texts.session.needed[scope]} ${scope}.`;

/** Stands in the place of what the credentials don't reach. */
export const NotAllowed = ({ scope }: NotAllowedProps) => (
  <p class="not-allowed">
    {texts.session.needed[scope]} <code>{scope}</code>.
  </p>
);

/** Content that needs a scope, or the name of the missing scope. */
export const Allowed = ({ scope, children }: NotAllowedProps & { readonly children: ComponentChildren }) =>
  useScope(scope) ? children : <NotAllowed scope={scope} />;
