/** Media types in header fields (RFC 9110 §8.3.1). */

export interface MediaType {
  /** `type/subtype` in lower case; ranges may have `*`. */
  readonly type: string;
  /** Names in lower case, values as they stand, unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const shape = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(;.*)?$`);
const parameter = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y');

/** @returns undefined when the text doesn't keep to the grammar */
export function parseMediaType(text: string): MediaType | undefined {
  const [, type, rest = ''] = shape.exec(text) ?? [];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  parameter.lastIndex = 0;
  while (parameter.lastIndex < rest.length) {
    const found = parameter.exec(rest);
    if (found === null) return undefined;
    const [, name, plain, quoted] = found;
    if (name !== undefined)
      parameters.set(name.toLowerCase(), plain ?? quoted?.replace(/\\(.)/g, '$1') ?? '');
  }
  return { type: type.toLowerCase(), parameters };
}
