import { BackToList } from '../address/back-to-list.tsx';
import { useTitle } from '../parts/brand.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { texts } from '../texts/texts.ts';
import type { ImportPageProps } from './import-page.tsx';
import { Lazy } from './lazy.tsx';

/** The page of an import, for people with the scopes. */
export function ImportView({ kind }: ImportPageProps) {
  useTitle('', texts.page.files.title);
  return (
    <main class="import stack">
      <BackToList kind={kind} />
      <h1>{texts.page.files.title}</h1>
      <Allowed scope={scopeOf(kind, 'write')}>
        <Allowed scope={scopeOf(kind, 'read')}>
          <Lazy load={() => import('./import-page.tsx')}>
            {({ ImportPage }) => <ImportPage key={kind} kind={kind} />}
          </Lazy>
        </Allowed>
      </Allowed>
    </main>
  );
}
