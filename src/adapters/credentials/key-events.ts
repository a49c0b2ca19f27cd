/** Events of the keys that verify credentials, for metrics and the log. */

/** `fetched`: read anew, and in use. `confirmed`: looked at, and still as they were. `failed`: out of reach or not to be used. */
export type KeyEvent = 'fetched' | 'confirmed' | 'failed';

export type OnKeyEvent = (event: KeyEvent) => void;

/** Where keys come from. A service has one of the first two at most. */
export type KeyPlace = 'jwks-url' | 'jwks-file' | 'api-keys';
