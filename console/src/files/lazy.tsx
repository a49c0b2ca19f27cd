import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';

interface LazyProps<M> {
  readonly load: () => Promise<M>;
  readonly children: (module: M) => ComponentChildren;
}

/** Components that are loaded when they are first shown: the code of the commands is large, and only imports and exports need it. */
export function Lazy<M>({ load, children }: LazyProps<M>) {
  const [module, setModule] = useState<M>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (loaded) => setModule(() => loaded),
      () => setFailed(true),
    );
  }, []);
  if (isFailed) return <Notice tone="bad" title={texts.page.files.loadFailed} />;
  return module === undefined ? null : children(module);
}
