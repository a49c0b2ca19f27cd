/** The noun for what a command counts: `user`, `users`. */
export interface Noun {
  readonly name: string;
  readonly plural: string;
}

/**
 * A number with the matching phrase: `describeCount(1, 'user is', 'users are')` is `1 user is`.
 * @param number the number as printed, if not in plain digits
 */
export const describeCount = (count: number, one: string, many: string, number = String(count)): string =>
  `${number} ${count === 1 ? one : many}`;

/** As `describeCount`: `describeNouns(kind, 1, 'is', 'are')` is `1 user is`. */
export const describeNouns = ({ name, plural }: Noun, count: number, one: string, many: string): string =>
  describeCount(count, `${name} ${one}`, `${plural} ${many}`);
