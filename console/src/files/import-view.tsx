import type { KindName } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { Lazy } from './lazy.tsx';

/** The code of the commands is large, and only imports and exports need it. */
async function loadImport() {
  const [{ ImportPage }, { engine }] = await Promise.all([import('./import-page.tsx'), import('user-files')]);
  return { ImportPage, engine };
}

/** The page of an import, for whom it is allowed. */
export const ImportView = ({ kind }: { readonly kind: KindName }) => (
  <main class="import stack">
    <Allowed scope={scopeOf(kind, 'write')}>
      <Allowed scope={scopeOf(kind, 'read')}>
        <Lazy load={loadImport}>
          {({ ImportPage, engine }) => <ImportPage key={kind} {...{ engine, kind }} />}
        </Lazy>
      </Allowed>
    </Allowed>
  </main>
);
