/** The problems of the change log and of histories. */
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';

const listAgain =
  'Get a cursor from GET /changes?since=now, list all users and groups again, then follow the changes from that cursor.';

export const changeProblems = {
  'not-logged': {
    status: 404,
    title: 'There is no change log',
    meaning: 'This installation keeps no change log: the setting changes.retention is 0.',
    remedy: 'Ask the operator to turn the log on, or list users and groups to find changes.',
  },
  'cursor-expired': {
    status: 410,
    title: 'The cursor has expired',
    meaning:
      'Changes after this cursor have been removed, by age or size, or were written before the service knew the filter of the access profile, so a follower would miss them.',
    remedy: `${listAgain} Ask more often, or have the operator keep changes for longer.`,
  },
  'cursor-foreign': {
    status: 410,
    title: 'The cursor is of another change log',
    meaning:
      'The cursor does not belong to this change log: it is from another installation, from a state before a backup was restored, from before the log was turned off and on again, or of credentials with another access profile, also the same one before it was changed.',
    remedy: `${listAgain} A history begins again without after.`,
  },
} as const satisfies DescribedProblemTypes;
