/** The top bar and the frame of every view; buttons that many views have. */
export const page = {
  product: 'User directory',
  skip: 'Skip to the content',
  directory: 'Directory',
  unsaved: 'Unsaved:',
  signingIn: 'Signing in…',
  cancel: 'Cancel',
  close: 'Close',
  stop: 'Stop',
  stopping: 'Stopping…',
  files: {
    menu: 'Import and export',
    import: 'Import…',
    export: 'Export…',
    title: 'Import',
    loadFailed: 'The import could not be loaded. Check the connection, then reload the page.',
  },
};
