/** What happens to the keys that credentials are checked by, for whoever watches. */

/** `fetched`: read anew, and in use. `confirmed`: looked at, and still as they were. `failed`: out of reach or not to be used. */
export type KeyEvent = 'fetched' | 'confirmed' | 'failed';

export type OnKeyEvent = (event: KeyEvent) => void;

/** Where keys come from. A service has one of the first two at most. */
export type KeyPlace = 'jwks-url' | 'jwks-file' | 'api-keys';
