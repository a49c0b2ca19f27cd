import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { explain, mayPass } from './failure-words.ts';

/** Seconds that are left; 0 when it is time. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

/** @param retry called when the connection is back, or the time is over @param isAutomatic for requests that change nothing */
function useRetry(
  failure: Failure,
  retry: (() => void) | undefined,
  isAutomatic: boolean,
  left: number,
): void {
  const isDue = failure.status === 503 && failure.retryAfter !== undefined && left === 0;
  useEffect(() => {
    if (isAutomatic && isDue) retry?.();
  }, [isDue]);
  useEffect(() => {
    if (!isAutomatic || failure.status !== 0 || retry === undefined) return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [failure, retry]);
}

interface FailureNoticeProps {
  readonly failure: Failure;
  readonly retry?: () => void;
  /** The request is repeated by itself when that may help. */
  readonly isAutomatic?: boolean;
  /** A person caused the request: the notice scrolls into view. */
  readonly isNews?: boolean;
}

export function FailureNotice({ failure, retry, isAutomatic = false, isNews = false }: FailureNoticeProps) {
  const left = useCountdown(failure.retryAfter ?? 0);
  useRetry(failure, retry, isAutomatic, left);
  return (
    <Notice tone="bad" {...explain(failure)} news={isNews ? failure : undefined}>
      <p class="actions">
        {retry !== undefined && mayPass(failure) && (
          <button type="button" onClick={retry} disabled={left > 0}>
            {left > 0 ? texts.failures.tryAgainIn(left) : texts.failures.tryAgain}
          </button>
        )}
        {failure.page !== undefined && (
          <a href={failure.page} target="_blank" rel="noreferrer">
            {texts.failures.explained}
          </a>
        )}
      </p>
    </Notice>
  );
}
