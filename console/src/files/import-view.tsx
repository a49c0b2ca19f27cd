import { BackToList } from '../address/back-to-list.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import type { ImportPageProps } from './import-page.tsx';
import { Lazy } from './lazy.tsx';

/** The page of an import, for whom it is allowed. */
export const ImportView = ({ kind, fields }: ImportPageProps) => (
  <main class="import stack">
    <BackToList kind={kind} />
    <Allowed scope={scopeOf(kind, 'write')}>
      <Allowed scope={scopeOf(kind, 'read')}>
        <Lazy load={() => import('./import-page.tsx')}>
          {({ ImportPage }) => <ImportPage key={kind} {...{ kind, fields }} />}
        </Lazy>
      </Allowed>
    </Allowed>
  </main>
);
