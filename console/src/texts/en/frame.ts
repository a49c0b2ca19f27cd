/** The top bar and the frame of every view. */
export const frame = {
  skip: 'Skip to the content',
  directory: 'Directory',
  unsaved: 'Unsaved:',
  signingIn: 'Signing in…',
};
