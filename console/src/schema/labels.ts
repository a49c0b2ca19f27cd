/** Makes labels from the names of members, such as `givenName` and `x509Certificates`. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['id', 'ID'],
  ['url', 'URL'],
  ['ims', 'IMs'],
  ['im', 'IM'],
]);

/** `Given name` */
export function labelOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[ _-]+/);
  const label = words
    .map((word) => abbreviations.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ')
    .replace(/\bx(?=\d)/, 'X');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** `Email` of `Emails` */
export const singularOf = (label: string): string =>
  label.replace(/(ss|sh|ch|x)es$/i, '$1').replace(/([^s])s$/i, '$1');
