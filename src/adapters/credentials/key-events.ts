/** Events of the keys that verify credentials, for metrics and the log. */

/** `fetched`: new keys in use. `confirmed`: checked and unchanged. `failed`: unreachable or unusable. */
export type KeyEvent = 'fetched' | 'confirmed' | 'failed';

export type OnKeyEvent = (event: KeyEvent) => void;

/** Where keys come from. A service has one of the first two at most. */
export type KeyPlace = 'jwks-url' | 'jwks-file' | 'api-keys';
