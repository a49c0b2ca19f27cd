export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
export const isWordCharacter = (point: number): boolean =>
  /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(point));
export const isUnspaced = (point: number): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    String.fromCodePoint(point),
  );
