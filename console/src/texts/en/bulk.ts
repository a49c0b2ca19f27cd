import { printNumber } from '../../language.ts';

/** One change for many users or groups. */
export const bulk = {
  selection: { user: 'Selected users', group: 'Selected groups' },
  selected: (count: number) => `${printNumber(count)} selected`,
  tooMany: (most: number) =>
    `Up to ${printNumber(most)} can be selected at once: narrow the list by a search or filters.`,
  noneHere: ', none of them on this page',
  selectAll: (count: number) => `Select all ${printNumber(count)}`,
  show: 'Show',
  clear: 'Clear selection',
  noneSelected: 'An address does not keep a selection. Select the entries first, then choose the action.',
  /** Buttons that open a dialog. */
  offers: {
    activate: 'Activate…',
    deactivate: 'Deactivate…',
    delete: 'Delete…',
    edit: 'Change…',
    join: 'Add to group…',
    leave: 'Remove from group…',
    addMembers: 'Add members…',
  },
  titles: {
    activate: (what: string) => `Activate ${what}`,
    deactivate: (what: string) => `Deactivate ${what}`,
    delete: (what: string) => `Delete ${what}`,
    join: (what: string) => `Add ${what} to a group`,
    leave: (what: string, group: string) => `Remove ${what} from ${group}`,
    leaveSome: (what: string) => `Remove ${what} from a group`,
    edit: (what: string) => `Change ${what}`,
    addMembers: (group: string) => `Add members to ${group}`,
  },
  about: {
    activate: 'Active users can sign in.',
    deactivate: 'Inactive users stay in the directory but cannot sign in.',
    leave: 'Nobody is removed from the directory.',
  },
  buttons: {
    activate: 'Activate',
    deactivate: 'Deactivate',
    delete: 'Delete',
    leave: 'Remove',
    join: 'Add',
    addMembers: (what: string) => `Add ${what}`,
    edit: (what: string) => `Change ${what}`,
  },
  operation: 'What to do',
  operations: { set: 'Set', clear: 'Clear', add: 'Add', remove: 'Remove' },
  values: {
    set: (field: string) => `${field}: new value`,
    add: (field: string) => `${field}: add`,
    remove: (field: string) => `${field}: remove`,
  },
  editAbout: (what: string) => `Applies to ${what}. Those that need no change stay as they are.`,
  confirmNumber: (count: number) => `Type ${printNumber(count)} to confirm`,
  undone: (done: number, failed: number) =>
    `${printNumber(done)} undone${failed > 0 ? `, ${printNumber(failed)} failed` : ''}.`,
  findUsers: 'Find users',
  listHint: 'Or paste a list of user names or email addresses.',
  lost: (names: string) => `No user found: ${names}`,
  isMember: 'Already a member',
  findGroup: 'Find a group',
  affected: 'Affected',
  leaveOut: (name: string) => `Leave ${name} out`,
  progress: 'Progress',
  of: (done: number, all: number) => `${printNumber(done)} of ${printNumber(all)}`,
  done: {
    activate: (what: string) => `${what} activated`,
    deactivate: (what: string) => `${what} deactivated`,
    delete: (what: string) => `${what} deleted`,
    edit: (what: string) => `${what} changed`,
    join: (what: string, group: string) => `${what} added to ${group}`,
    leave: (what: string, group: string) => `${what} removed from ${group}`,
  },
  failed: (count: number) => `${printNumber(count)} failed`,
  notBegun: (count: number) => `${printNumber(count)} not begun`,
  leftEarly: (title: string, summary: string) => `You left before the end. ${title}: ${summary}`,
  unchanged: (count: number) => `${printNumber(count)} needed no change`,
  more: (count: number) => `and ${printNumber(count)} more`,
  staySelected: 'Those that are not done stay selected.',
  retry: 'Try the failed ones again',
  download: 'Download as a table',
  headings: ['ID', 'Name', 'Reason'],
  fileName: 'failed.csv',
  reasons: {
    user: {
      gone: 'Somebody has deleted this user meanwhile.',
      overtaken:
        'Somebody has changed this user since it was selected, so it was left as it is. Look at it first.',
      'not-done': 'The service did not answer in time. The user was read again: nothing was changed.',
      unknown:
        'The service did not answer in time, and it is not known whether the change was made. Look at the user.',
    },
    group: {
      gone: 'Somebody has deleted this group meanwhile.',
      overtaken:
        'Somebody has changed this group since it was selected, so it was left as it is. Look at it first.',
      'not-done': 'The service did not answer in time. The group was read again: nothing was changed.',
      unknown:
        'The service did not answer in time, and it is not known whether the change was made. Look at the group.',
    },
  },
};
