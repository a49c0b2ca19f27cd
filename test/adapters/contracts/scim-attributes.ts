/** The attributes that `/Schemas` publishes, a line each: what is recorded of SCIM's contract, which has no version of its own. */
interface Attribute extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly subAttributes?: readonly Attribute[];
}

interface Schemas {
  readonly Resources: readonly { readonly id: string; readonly attributes: readonly Attribute[] }[];
}

/** Neither words nor usual values, which may change. */
const unheld: readonly string[] = ['name', 'description', 'subAttributes', 'canonicalValues'];

function linesOf(prefix: string, { name, subAttributes = [], ...all }: Attribute): readonly string[] {
  const held = Object.entries(all).filter(([keyword]) => !unheld.includes(keyword));
  const own = held.map(([keyword, value]) => `${keyword}=${JSON.stringify(value)}`).join(' ');
  return [`${prefix}${name}: ${own}`, ...subAttributes.flatMap((sub) => linesOf(`${prefix}${name}.`, sub))];
}

export const printAttributes = ({ Resources }: Schemas): string =>
  Resources.flatMap(({ id, attributes }) => attributes.flatMap((one) => linesOf(`${id}:`, one)))
    .map((line) => `${line}\n`)
    .join('');

/** RFC 7643 §10.3.2: within a version of a schema attributes come, and none goes or becomes another. */
export function findBreaksInAttributes(old: string, now: string): readonly string[] {
  const lines = new Set(now.split('\n'));
  return old
    .split('\n')
    .filter((line) => !lines.has(line))
    .map((line) => `SCIM: \`${line}\` is gone, or is another.`);
}
