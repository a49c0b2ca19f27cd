import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BackToList } from '../address/back-to-list.tsx';
import { useTitle } from '../parts/brand.tsx';
import { Notice } from '../parts/notice.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { texts } from '../texts/texts.ts';
import type { ImportPageProps } from './import-page.tsx';

interface FileCodeProps {
  readonly children: (module: typeof import('./import-page.tsx')) => ComponentChildren;
}

/** Components that are loaded when they are first shown: the code of the commands is large, and only imports and exports need it. */
export function FileCode({ children }: FileCodeProps) {
  const [module, setModule] = useState<typeof import('./import-page.tsx')>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    import('./import-page.tsx').then(setModule, () => setFailed(true));
  }, []);
  if (isFailed) return <Notice tone="bad" title={texts.page.files.loadFailed} />;
  return module === undefined ? null : children(module);
}

/** The page of an import, for people with the scopes. */
export function ImportView({ kind }: ImportPageProps) {
  useTitle('', texts.page.files.title);
  return (
    <main class="import stack">
      <BackToList kind={kind} />
      <h1>{texts.page.files.title}</h1>
      <Allowed scope={scopeOf(kind, 'write')}>
        <Allowed scope={scopeOf(kind, 'read')}>
          <FileCode>{({ ImportPage }) => <ImportPage key={kind} kind={kind} />}</FileCode>
        </Allowed>
      </Allowed>
    </main>
  );
}
