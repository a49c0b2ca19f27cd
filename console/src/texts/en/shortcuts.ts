/** Keys, and the dialog that lists them. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  search: 'Search',
  create: 'New user or group',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open the row',
  close: 'Close a dialog or menu',
  help: 'Show this list',
  enter: 'Enter',
  shiftSpace: 'Shift + Space',
  range: 'Select all rows since the last one',
  escape: 'Esc',
  whereOff: 'Single keys do nothing in text fields and dialogs.',
  singleKeys: 'Use single-key shortcuts in this browser',
};
