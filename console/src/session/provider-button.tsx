import { useState } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import type { Provider } from './provider.ts';
import { allowLeaving } from './unsaved.ts';

/** Leads to the company's own sign-in page. */
export function ProviderButton({ provider }: { readonly provider: Provider }) {
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const leave = async () => {
    setBusy(true);
    setFailed(false);
    try {
      const { leaveForProvider } = await import('./open-id.ts');
      allowLeaving();
      await leaveForProvider(provider);
    } catch {
      setFailed(true);
      setBusy(false);
    }
  };
  return (
    <>
      {hasFailed && (
        <Notice tone="bad" title={texts.session.providerAway}>
          <p>
            {texts.session.providerAwayText} <code>{provider.issuer}</code>
          </p>
        </Notice>
      )}
      <button type="button" class="primary" aria-disabled={isBusy} onClick={leave}>
        {isBusy ? texts.session.leaving : texts.session.company}
      </button>
    </>
  );
}
