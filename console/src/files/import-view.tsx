import type { KindName } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { Lazy } from './lazy.tsx';

/** The page of an import, for whom it is allowed. */
export const ImportView = ({ kind }: { readonly kind: KindName }) => (
  <main class="import stack">
    <Allowed scope={scopeOf(kind, 'write')}>
      <Allowed scope={scopeOf(kind, 'read')}>
        <Lazy load={() => import('./import-page.tsx')}>
          {({ ImportPage }) => <ImportPage key={kind} kind={kind} />}
        </Lazy>
      </Allowed>
    </Allowed>
  </main>
);
