/** Buttons that many views have. */
export const parts = {
  cancel: 'Cancel',
  close: 'Close',
  stop: 'Stop',
  stopping: 'Stopping…',
};
