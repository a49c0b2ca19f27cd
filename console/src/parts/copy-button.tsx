import { texts } from '../texts/texts.ts';
import { announce, clearAnnouncement } from './announcement.tsx';
import { Icon } from './icons.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Names what is copied, beside other buttons. */
  readonly name?: string;
}

export function CopyButton({ text, name = '' }: CopyButtonProps) {
  const label = name + texts.resource.copy;
  const copy = async () => {
    // Cleared first, so that the same message is read out again.
    clearAnnouncement();
    try {
      await navigator.clipboard.writeText(text);
      announce(texts.resource.copied);
    } catch {
      // Without TLS there is no clipboard.
      announce(texts.resource.notCopied, 'info');
    }
  };
  return (
    <button type="button" class="bare" aria-label={label} title={label} onClick={copy}>
      <Icon name="copy" />
    </button>
  );
}
