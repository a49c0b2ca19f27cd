import type { Scope } from './scopes.ts';

/** Stands in the place of what the credentials don't reach. */
export const NotAllowed = ({ what, scope }: { readonly what: string; readonly scope: Scope }) => (
  <p class="not-allowed">
    {what} takes the scope <code>{scope}</code>, which you do not have.
  </p>
);
