/**
 * Patterns of the user's texts, each with the end of "must …". They are part of the published contracts: XML Schema and ECMAScript
 * must read them alike, and no text may take long to fail.
 */

interface TextPattern {
  readonly pattern: string;
  readonly must: string;
}

/** RFC 5646 §2.1 as ABNF, regular and irregular grandfathered tags included: well-formed, not necessarily registered. */
export const languageTag: TextPattern = (() => {
  const alnum = '[A-Za-z0-9]';
  const language = '(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})';
  const script = '(?:-[A-Za-z]{4})?';
  const region = '(?:-(?:[A-Za-z]{2}|[0-9]{3}))?';
  const variants = `(?:-(?:${alnum}{5,8}|[0-9]${alnum}{3}))*`;
  const extensions = `(?:-[0-9A-WY-Za-wy-z](?:-${alnum}{2,8})+)*`;
  const privateUse = `[xX](?:-${alnum}{1,8})+`;
  const irregular =
    'en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE)';
  const regular = 'art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)';
  const anyCase = `${irregular}|${regular}`.replace(
    /[A-Za-z]/g,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
  return {
    pattern: `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse}|${anyCase})$`,
    must: 'be a BCP 47 language tag, such as en-GB',
  };
})();

export const emailAddress: TextPattern = {
  pattern: '^[^\\s@]+@[^\\s@]+$',
  must: 'be one address, such as ada@example.org',
};

export const country: TextPattern = {
  pattern: '^[A-Za-z]{2}$',
  must: 'be two letters (ISO 3166-1), such as NL',
};

export const timeZone: TextPattern = {
  pattern: '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$',
  must: 'be shaped like an IANA time zone, such as Europe/Amsterdam',
};

/** RFC 3986: a scheme, then the characters of a URI, each `%` with its two digits. */
export const uri: TextPattern = (() => {
  const plain = "[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]";
  const encoded = '%[0-9A-Fa-f][0-9A-Fa-f]';
  // By runs: alternatives for each character overflow the stack of Java's matcher at 1,500 characters.
  const rest = `${plain}*(?:(?:${encoded})+${plain}+)*(?:${encoded})*`;
  return {
    pattern: `^[A-Za-z][A-Za-z0-9+.\\-]*:(?:${plain}|${encoded})${rest}$`,
    must: 'be a URI (RFC 3986), such as https://example.org/ada',
  };
})();

/** RFC 4648 §4 without line ends. Its padding may be left out, as RFC 7643 §2.3.6 has it. */
export const base64: TextPattern = (() => {
  // Written out: libxml2 miscounts a repetition within a repetition.
  const of = (count: number): string => '[A-Za-z0-9+/]'.repeat(count);
  return {
    pattern: `^(?:${of(4)})*(?:${of(2)}(?:==)?|${of(3)}=?|${of(4)})$`,
    must: 'be base64 (RFC 4648 §4), without spaces or line ends',
  };
})();
