import { violations } from './violations.ts';

/** What went wrong with a request, and what to do. */
export const failures = {
  violations,
  tryAgain: 'Try again',
  tryAgainIn: (seconds: number) => `Try again (${seconds} s)`,
  explained: 'What this means',
  inAMoment: 'Nothing was changed. Try again in a moment.',
  inSeconds: (seconds: number) => `Nothing was changed. Try again in ${seconds} s.`,
  400: 'The request is not valid',
  403: 'You are not allowed to do this',
  /** @param title the service's own, in English */
  404: (title: string) => title,
  '404Text':
    'It may have been deleted, or not be visible with these credentials. Go back to the list and search for it.',
  413: 'There is too much data',
  '413Text':
    'The entry is too large. Shorten long texts or remove entries from its lists. What you typed is still here.',
  428: 'The change was sent without protection against overwriting',
  '428Text':
    'Something between here and the service removes If-Match. Ask the administrators of the gateway. Nothing was changed.',
  503: 'The service is overloaded or unavailable',
  offline: 'You are offline',
  offlineText: 'What you typed is still here. You can go on when you are connected again.',
  unanswered: 'The service does not respond',
  unansweredText: 'It may be restarting, or the connection is poor. Try again in a moment.',
};
