import type { Violations } from '../en/violations.ts';

/** Patterns of the messages of file readers and imports, as in `../en/violations.ts`. The command's options are settings here. */
export const violations: Violations = [
  [/^same \S+ as row (\d+)$/, 'is in row $1 already'],
  [/^(must be true or false, such as .*); --booleans.*$/, '$1. Other words: “Words for true and false”'],
  [
    /^(a (?:user|group) with this) .* exists; if it is the same one, use --mode.*$/,
    '$1 value exists; if it is the same one, choose “change existing ones”',
  ],
  [
    /^may begin with its day or its month.*$/,
    'may begin with its day or its month: choose which under “How the file is read”',
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
