/**
 * Patterns of the service's messages about values and credentials, each with better words. The service speaks English; a message that fits no
 * pattern stays unchanged.
 */
export type Violations = readonly (readonly [pattern: RegExp, words: string])[];

export const violations: Violations = [
  [/^(?:another user|user \S+) has this \S+$/, 'is taken by another user'],
  [/^(?:another group|group \S+) has this \S+$/, 'is taken by another group'],
  [
    /^must not be true (?:before validFrom|from validUntil on), .*$/,
    'does not fit the days on which the user begins and ends: choose another status or other days',
  ],
  [/^must be a URI.*$/, 'enter a web address, such as https://example.org/ada'],
  [/^must be a BCP 47 language tag.*$/, 'must be a language code, such as en-GB'],
  [/^must be shaped like an IANA time zone.*$/, 'must be a time zone, such as Europe/Amsterdam'],
  [/^must be two letters \(ISO 3166-1\).*$/, 'must be a country code, such as NL'],
];
