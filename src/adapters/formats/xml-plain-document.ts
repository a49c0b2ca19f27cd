/** Plain documents: what nearly all clients send. */
import type { Naming } from './format.ts';
import { attemptPlain, type PlainContext, PlainReader } from './xml-plain.ts';
import type { PlainShape } from './xml-plain-shape.ts';
import { mayBePlain, notPlain, PlainText } from './xml-plain-text.ts';
import { xsi } from './xml-well-formedness.ts';

/** UTF-16 code units. A user with everything takes less; longer documents are read in steps. */
export const longestPlain = 32 * 1024;

const declaration =
  /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?\?>/;

/** Of XML Schema itself: .NET declares it on every root, and uses it in types only. */
const xsd = 'http://www.w3.org/2001/XMLSchema';

/** Without those that are called `xml…`, of which XML keeps some for itself. */
const binding = /^xmlns:(?![Xx][Mm][Ll])([\w.-]+)$/;

const isSchemaLocation = (name: string, instances: string | undefined): boolean =>
  instances !== undefined &&
  (name === `${instances}schemaLocation` || name === `${instances}noNamespaceSchemaLocation`);

/** Of a root with no other attributes than the namespaces that clients use, and where the schema is. */
function readContext(text: PlainText, prefix: string, namespace: string): PlainContext {
  const attributes = text.readAttributes();
  const bindings = new Map<string, string>();
  const others: string[] = [];
  let instances: string | undefined;
  for (const [name, value] of attributes) {
    const bound = name === 'xmlns' ? '' : binding.exec(name)?.[1]?.concat(':');
    if (bound === undefined) others.push(name);
    else if (value === namespace || (bound !== '' && (value === xsi || value === xsd))) {
      bindings.set(bound, value);
      // Of two, the other is not plain where it is used.
      if (value === xsi) instances = bound;
    } else throw notPlain;
  }
  const isOurs = bindings.get(prefix) === namespace || (prefix === '' && !bindings.has(''));
  if (!isOurs || !others.every((name) => isSchemaLocation(name, instances))) throw notPlain;
  return { prefix, xsi: instances };
}

/**
 * The value of a document without any mistakes. It has been read whole: it is well-formed, and within the limits.
 * @returns undefined for any other document
 */
export function readPlainDocument(shape: PlainShape, { one, namespace }: Naming, document: string): unknown {
  if (document.length > longestPlain || !mayBePlain(document)) return undefined;
  return attemptPlain(() => {
    const text = new PlainText(document);
    text.begin(declaration.exec(document)?.[0].length ?? 0);
    text.skipSpace();
    const name = text.readName() ?? '';
    if (!name.endsWith(one)) throw notPlain;
    const prefix = name.slice(0, -one.length);
    if (prefix !== '' && !prefix.endsWith(':')) throw notPlain;
    const reader = new PlainReader(text, readContext(text, prefix, namespace));
    const value = reader.readContent(shape, one);
    text.skipSpace();
    text.assertEnd();
    return value;
  });
}
