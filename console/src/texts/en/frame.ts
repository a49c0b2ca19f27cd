/** The top bar, and what surrounds every view. */
export const frame = {
  skip: 'Skip to the content',
  directory: 'Directory',
  unsaved: 'Unsaved:',
  signingIn: 'Signing in…',
};
