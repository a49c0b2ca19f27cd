import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** A long task, which ends when a person stops it or leaves its view. */
interface Stoppable {
  /** Ends the previous task. @returns the signal of the new one */
  begin(): AbortSignal;
  stop(): void;
  /** Whether the view is no longer shown. */
  isLeft(): boolean;
}

export function useStoppable(): Stoppable {
  const controller = useRef(new AbortController());
  const isLeft = useRef(false);
  const stop = () => controller.current.abort();
  const leave = () => {
    isLeft.current = true;
    stop();
  };
  useEffect(() => leave, []);
  return {
    begin: () => {
      stop();
      controller.current = new AbortController();
      return controller.current.signal;
    },
    stop,
    isLeft: () => isLeft.current,
  };
}

interface RunningProps {
  /** The name of the progress bar. */
  readonly label: string;
  /** Between 0 and 1; undefined: unknown. */
  readonly done: number | undefined;
  readonly onStop: () => void;
  /** The progress in words. */
  readonly children: ComponentChildren;
}

/** The progress of a long task, with a button that stops it. */
export function Running({ label, done, onStop, children }: RunningProps) {
  const [isStopping, setStopping] = useState(false);
  return (
    <>
      <progress max={1} {...(done === undefined ? {} : { value: done })} aria-label={label} />
      <p role="status">{children}</p>
      <p class="actions">
        <button
          type="button"
          disabled={isStopping}
          onClick={() => {
            setStopping(true);
            onStop();
          }}
          // The key that started it may still be down.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {isStopping ? texts.page.stopping : texts.page.stop}
        </button>
      </p>
    </>
  );
}
