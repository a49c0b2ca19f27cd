/**
 * What the service says of a value or of credentials, or the reader of a file of a value, by a pattern, and better words for it. They speak English; what no pattern
 * fits stays as it is.
 */
export type Violations = readonly (readonly [pattern: RegExp, words: string])[];

export const violations: Violations = [
  [/^(?:another user|user \S+) has this userName$/, 'is taken by another user'],
  [/^(?:another group|group \S+) has this displayName$/, 'is taken by another group'],
  [/^must be a URI.*$/, 'enter a web address, such as https://example.org/ada'],
  [/^must be a BCP 47 language tag.*$/, 'must be a language code, such as en-GB'],
  [/^must be shaped like an IANA time zone.*$/, 'must be a time zone, such as Europe/Amsterdam'],
  [/^must be two letters \(ISO 3166-1\).*$/, 'must be a country code, such as NL'],
  [/^same \S+ as row (\d+)$/, 'is in row $1 already'],
  // The command's options are settings here.
  [/^(must be true or false, such as .*); --booleans.*$/, '$1. Other words: “Words for true and false”'],
  [
    /^(a (?:user|group) with this) .* exists; if it is the same one, use --mode.*$/,
    '$1 value exists; if it is the same one, choose “change existing ones”',
  ],
  [/^((?:no|several) (?:users?|groups?) (?:has|have) this) \S+$/, '$1 value'],
  [
    /^(no line break ends the last line.*), --last-line takes it$/,
    '$1, choose “Accept a last row without a line break”',
  ],
  [/^((?:\S+ )?is required), and no heading is this column.*$/, '$1: choose the heading that has it'],
  [/^(the file is not UTF-8: save it in UTF-8), or name its encoding.*$/, '$1, or choose its encoding'],
  [
    /^(the file is not UTF-8): .* in which this is right: (.*)$/,
    '$1: choose the encoding in which this is right: $2',
  ],
  [/^(the file is not UTF-8; it looks like windows-1252): --encoding.*$/, '$1: choose this encoding'],
  [/^(the header has several of comma, semicolon and tab): .*$/, '$1: choose the delimiter'],
  [/^(the first row must have the headings, and none of these is known[^:]*): --map.*$/, '$1'],
  [/^((?:there is no column|"[^"]*" and "[^"]*" are both) .*?): --map.*$/, '$1'],
];
