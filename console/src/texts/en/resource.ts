/** The page of a user or a group. */
export const resource = {
  back: {
    list: 'Back to the list',
    group: 'Back to the group',
    activity: 'Back to the activity',
    overview: 'Back to the overview',
    access: 'Back',
    webhooks: 'Back to the webhooks',
  },
  tabs: {
    user: { first: 'Overview', groups: 'Groups', history: 'History' },
    group: { first: 'Members', details: 'Details', history: 'History' },
  } as Readonly<Record<'user' | 'group', Readonly<Record<string, string>>>>,
  edit: 'Edit',
  endEdit: 'Stop editing',
  reports: (count: string) => `Direct reports (${count})`,
  saveKey: 'Ctrl + S or ⌘ S',
  groups: {
    removeFrom: (group: string) => `Remove from ${group}`,
    removed: (name: string, group: string) => `${name} was removed from ${group}.`,
    added: (name: string, group: string) => `${name} is in ${group} again.`,
    all: 'All groups of this user',
  },
  id: 'ID',
  created: 'Created',
  lastModified: 'Last modified',
  activated: 'Activated',
  deactivated: 'Deactivated',
  saveFirst: 'Save or discard your changes first.',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Saved',
  create: 'Create',
  discard: 'Discard',
  unsaved: 'Unsaved changes, kept in this tab',
  wasCreated: (name: string) => `${name} was created.`,
  wasCreatedBefore: (name: string) =>
    `${name} was created by your first attempt. What you have changed since is not saved yet.`,
  createdAgain: 'Created again',
  keptHere: 'What you typed is still here.',
  unknown: 'It is not known whether your change was saved',
  unknownText: {
    user: 'The service did not respond in time, and the user can’t be read at the moment.',
    group: 'The service did not respond in time, and the group can’t be read at the moment.',
  },
  checkAgain: 'Check again',
  foundDone: (done: string) => `${done}, although the service did not confirm it in time`,
  foundDoneText: {
    user: 'The user was read again: your change is there.',
    group: 'The group was read again: your change is there.',
  },
  notDone: 'Nothing was changed',
  notDoneText: {
    user: 'The service did not respond in time. The user was read again: your change is not there. Try again.',
    group:
      'The service did not respond in time. The group was read again: your change is not there. Try again.',
  },
  gone: {
    user: 'Somebody has deleted this user in the meantime',
    group: 'Somebody has deleted this group in the meantime',
  },
  createAgain: 'Create it again with your data',
  deleteTitle: (name: string) => `Delete ${name}?`,
  beforeDeletion: {
    user: 'A deleted user can be restored under Activity › Deleted, with the groups, while the history has it. To end access only, deactivate the user.',
    group:
      'A deleted group can be restored under Activity › Deleted, with the members, while the history has it. The members stay in the directory.',
  },
  erase: {
    user: 'Also erase all personal values in the history.',
    group: 'Also erase all values in the history.',
  },
  confirm: { user: 'Type the user name to confirm', group: 'Type the group name to confirm' },
  deleteAndErase: 'Delete and erase for good',
  deleting: 'Deleting…',
  wasDeleted: (name: string) => `${name} was deleted.`,
  overtaken: {
    user: 'Somebody has changed this user in the meantime',
    group: 'Somebody has changed this group in the meantime',
  },
  overtakenText: {
    user: 'Nothing was deleted. The page behind this dialog shows the user as it is now. Delete it if you still want to.',
    group:
      'Nothing was deleted. The page behind this dialog shows the group as it is now. Delete it if you still want to.',
  },
  developers: 'For developers: JSON, XML and curl',
  format: 'Format',
  unreadable: 'The data could not be read.',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser does not allow copying here. Select the text instead.',
};
