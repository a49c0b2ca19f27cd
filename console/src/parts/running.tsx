import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';

interface RunningProps {
  /** The name of the progress bar. */
  readonly label: string;
  /** Between 0 and 1; undefined: not known. */
  readonly done: number | undefined;
  readonly isStopping?: boolean;
  readonly onStop: () => void;
  /** How far it is, in words. */
  readonly children: ComponentChildren;
}

/** Work that takes a while, and what stops it. */
export const Running = ({ label, done, isStopping = false, onStop, children }: RunningProps) => (
  <>
    <progress max={1} {...(done === undefined ? {} : { value: done })} aria-label={label} />
    <p role="status">{children}</p>
    <p class="actions">
      <button
        type="button"
        disabled={isStopping}
        onClick={onStop}
        // The key that has begun it may still be down.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
      >
        {isStopping ? texts.parts.stopping : texts.parts.stop}
      </button>
    </p>
  </>
);
