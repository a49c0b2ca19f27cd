/**
 * A number with the matching phrase: `describeCount(1, 'user is', 'users are')` is `1 user is`.
 * @param number the number as printed, if not in plain digits
 */
export const describeCount = (count: number, one: string, many: string, number = String(count)): string =>
  `${number} ${count === 1 ? one : many}`;
