/** The problems of the change log and of histories. */
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';

const listAgain =
  'List all users and groups again, beginning with the cursor that GET /changes?since=now gives before that, and follow the changes from there.';

export const changeProblems = {
  'not-logged': {
    status: 404,
    title: 'There is no change log',
    meaning: 'This installation keeps no change log: the setting changes.retention is 0.',
    remedy: 'Ask the operator for a log, or list users and groups to find what has changed.',
  },
  'cursor-expired': {
    status: 410,
    title: 'The cursor has expired',
    meaning:
      'Changes behind this cursor are no longer kept, so that a follower would miss them. They are removed by age and by size.',
    remedy: `${listAgain} Ask more often, or have the operator keep changes for longer.`,
  },
  'cursor-foreign': {
    status: 410,
    title: 'The cursor is of another change log',
    meaning:
      'The cursor is none of this change log as it is now: it belongs to another installation, or to a state that a restored backup has replaced; or the log was switched off and on again.',
    remedy: `${listAgain} A history begins again without after.`,
  },
} as const satisfies DescribedProblemTypes;
