/**
 * A number with the words that go with it: `describeCount(1, 'user is', 'users are')` is `1 user is`.
 * @param number how it is written, where not by digits alone
 */
export const describeCount = (count: number, one: string, many: string, number = String(count)): string =>
  `${number} ${count === 1 ? one : many}`;
