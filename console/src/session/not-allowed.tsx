import type { ComponentChildren } from 'preact';
import type { Scope } from './scopes.ts';
import { useScope } from './use-scope.ts';

interface NotAllowedProps {
  /** What is done to the scope's resources: `Creating`. */
  readonly what: string;
  readonly scope: Scope;
}

/** Stands in the place of what the credentials don't reach. */
export const NotAllowed = ({ what, scope }: NotAllowedProps) => (
  <p class="not-allowed">
    {what} {scope.slice(0, scope.indexOf(':'))} takes the scope <code>{scope}</code>, which you do not have.
  </p>
);

/** What takes a scope, or which one is missing. */
export const Allowed = (props: NotAllowedProps & { readonly children: ComponentChildren }) =>
  useScope(props.scope) ? props.children : <NotAllowed {...props} />;
