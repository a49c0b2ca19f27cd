import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Segments } from '../parts/fields.tsx';
import { Notice, type Words } from '../parts/notice.tsx';
import { readMeta } from '../root.ts';
import { texts } from '../texts/texts.ts';
import { beginSession } from './begin-session.ts';
import type { Credentials } from './credentials.ts';
import { type Provider, provider } from './provider.ts';
import { allowLeaving } from './unsaved.ts';

type Kind = keyof typeof texts.session.kinds;

/** The kinds of credentials that the service accepts, the usual one first. */
const kinds = readMeta('credentials').split(' ') as Kind[];

/** Pasted text often has line ends and spaces around it. */
function readCredentials(kind: Kind, form: HTMLFormElement): Credentials {
  const given = new FormData(form);
  const textOf = (name: string) => String(given.get(name) ?? '').trim();
  if (kind === 'token') return { kind, token: textOf('token').replace(/^bearer\s+/i, '') };
  return { kind, id: textOf('id'), secret: textOf('secret') };
}

/** The command that creates a key prints `id:secret`. Ids have no colon, so the secret follows the first one. */
function splitKey({ currentTarget }: Event): void {
  const field = currentTarget as HTMLInputElement;
  const [id = '', ...rest] = field.value.split(':');
  const secret = field.form?.elements.namedItem('secret');
  if (rest.length === 0 || !(secret instanceof HTMLInputElement)) return;
  field.value = id.trim();
  secret.value = rest.join(':').trim();
  secret.focus();
}

/** Leads to the company's own sign-in page. */
function ProviderButton({ provider }: { readonly provider: Provider }) {
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

const KeyFields = ({ id }: { readonly id: string }) => (
  <>
    <label class="field">
      <span>{texts.session.keyId}</span>
      <input
        name="id"
        defaultValue={id}
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="key-hint"
        onInput={splitKey}
      />
    </label>
    <p class="hint" id="key-hint">
      {texts.session.keyHint}
    </p>
    <label class="field">
      <span>{texts.session.secret}</span>
      <input name="secret" type="password" required autocomplete="off" />
    </label>
  </>
);

const TokenField = () => (
  <label class="field">
    <span>{texts.session.kinds.token}</span>
    <textarea name="token" required rows={4} autocomplete="off" autocapitalize="none" spellcheck={false} />
  </label>
);

interface SignInFormProps {
  /** The id of the expected key. */
  readonly id?: string;
  /** Shown below the button. */
  readonly children?: ComponentChildren;
}

export function SignInForm({ id = '', children }: SignInFormProps) {
  const [kind, setKind] = useState(kinds[0] ?? 'token');
  const [refusal, setRefusal] = useState<Words>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setRefusal(await beginSession(readCredentials(kind, event.currentTarget as HTMLFormElement)));
    setBusy(false);
  };
  const form = useRef<HTMLFormElement>(null);
  // The provider's button, or else the first empty field, so that a key can be pasted at once.
  useEffect(() => {
    const stops = form.current?.querySelectorAll<HTMLInputElement>(
      'button, input:not([type=radio]), textarea',
    );
    [...(stops ?? [])].find(({ value }) => value === '')?.focus();
  }, []);
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      {provider !== undefined && (
        <>
          <ProviderButton provider={provider} />
          <p class="or">{texts.session.or}</p>
        </>
      )}
      {kinds.length > 1 && (
        <Segments
          label={texts.session.signInWith}
          name="kind"
          value={kind}
          options={kinds.map((one) => [one, texts.session.kinds[one]])}
          onChoose={setKind}
        />
      )}
      {kind === 'key' ? <KeyFields id={id} /> : <TokenField />}
      {refusal !== undefined && <Notice tone="bad" {...refusal} />}
      <button type="submit" class={provider === undefined ? 'primary' : ''} aria-disabled={isBusy}>
        {isBusy ? texts.page.signingIn : texts.session.signIn}
      </button>
      {children}
    </form>
  );
}
