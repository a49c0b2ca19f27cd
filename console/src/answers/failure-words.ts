/** What a failure means to whoever sees it, and what there is to do. */
import type { Failure } from '../api/failure.ts';
import type { Words } from '../parts/notice.tsx';

const later = ({ retryAfter }: Failure): string =>
  retryAfter === undefined ? 'in a moment' : `in ${retryAfter} s`;

/** Whether another try may be answered otherwise. */
export const mayPass = ({ status }: Failure): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/** By status, for those that the service's own words don't suit. */
const byStatus: Readonly<Record<number, (failure: Failure) => Words>> = {
  400: ({ detail }) => ({ title: 'That can’t be asked for', text: detail }),
  403: ({ detail }) => ({ title: 'That is not allowed', text: detail }),
  404: ({ title }) => ({
    title,
    text: 'It may have been deleted. Go back to the list and search for it.',
  }),
  413: () => ({
    title: 'That is too much at once',
    text: 'It has grown too large to be sent. Shorten the longest texts, or take entries out of its lists, and save again. What you have typed is still here.',
  }),
  428: () => ({
    title: 'The change arrived without its lock',
    text: 'The console sends If-Match with every change, so something between here and the service has dropped it: ask whoever runs the gateway. Nothing was changed.',
  }),
  503: (failure) => ({
    title: 'The service has too much to do, or is out of reach',
    text: `Nothing was changed. Try again ${later(failure)}.`,
  }),
};

const offline: Words = {
  title: 'You are offline',
  text: 'What you have typed is still here. It goes on when the connection is back.',
};

const unanswered: Words = {
  title: 'The service does not answer',
  text: 'It may be starting anew, or the connection is bad. Try again in a moment.',
};

export function explain(failure: Failure): Words {
  if (failure.status === 0) return navigator.onLine ? unanswered : offline;
  const own = byStatus[failure.status];
  if (own !== undefined) return own(failure);
  return { title: failure.title, text: failure.detail };
}
