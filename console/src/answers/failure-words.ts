/** Explains a failure to people: what it means and what they can do. */
import type { Failure } from '../api/failure.ts';
import type { Words } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.failures;

/** Whether another attempt may succeed. */
export const mayPass = ({ status }: Failure): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/** Words by status that replace the service's own, which are meant for developers. */
const byStatus: Readonly<Record<number, (failure: Failure) => Words>> = {
  400: ({ detail }) => ({ title: words[400], text: detail }),
  403: ({ detail }) => ({ title: words[403], text: detail }),
  404: ({ title }) => ({ title: words[404](title), text: words['404Text'] }),
  413: () => ({ title: words[413], text: words['413Text'] }),
  428: () => ({ title: words[428], text: words['428Text'] }),
  503: ({ retryAfter }) => ({
    title: words[503],
    text: retryAfter === undefined ? words.inAMoment : words.inSeconds(retryAfter),
  }),
};

/** In one line. */
export function summarizeFailure(failure: Failure): string {
  const { title, text } = explain(failure);
  // A reason is told once.
  return text === '' || title.includes(text) ? title : text.includes(title) ? text : `${title}. ${text}`;
}

export function explain(failure: Failure): Words {
  if (failure.status === 0)
    return navigator.onLine
      ? { title: words.unanswered, text: words.unansweredText }
      : { title: words.offline, text: words.offlineText };
  const own = byStatus[failure.status];
  if (own !== undefined) return own(failure);
  return { title: failure.title, text: failure.detail };
}
