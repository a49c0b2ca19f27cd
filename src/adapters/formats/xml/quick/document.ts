/**
 * Reads documents in the form that nearly all clients send.
 *
 * This file reads the root, and `reader.ts` the elements in it, by the names of the schema; `text.ts` scans both. At anything else all of
 * them throw `notQuick`, and the document is read by `strict/`.
 */
import type { TSchema } from 'typebox';
import type { Naming } from '../../port/format.ts';
import { xsi } from '../strict/well-formedness.ts';
import { attemptQuickly, type QuickContext, QuickReader } from './reader.ts';
import { mayBeQuick, notQuick, QuickText } from './text.ts';

/** The maximum length, in UTF-16 code units. A user with all members is shorter; longer documents are read in steps. */
export const maxQuickLength = 32 * 1024;

const declaration =
  /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?\?>/;

/** The XML Schema namespace: .NET declares it on every root, but uses it in types only. */
const xsd = 'http://www.w3.org/2001/XMLSchema';

/** Excludes prefixes that begin with `xml`, which XML reserves. */
const binding = /^xmlns:(?![Xx][Mm][Ll])([\w.-]+)$/;

const isSchemaLocation = (name: string, instances: string | undefined): boolean =>
  instances !== undefined &&
  (name === `${instances}schemaLocation` || name === `${instances}noNamespaceSchemaLocation`);

/** Accepts a root with no attributes other than the namespaces that clients use and the schema's location. */
function readContext(text: QuickText, prefix: string, namespace: string): QuickContext {
  const attributes = text.readAttributes();
  const bindings = new Map<string, string>();
  const others: string[] = [];
  let instances: string | undefined;
  for (const [name, value] of attributes) {
    const bound = name === 'xmlns' ? '' : binding.exec(name)?.[1]?.concat(':');
    if (bound === undefined) others.push(name);
    else if (value === namespace || (bound !== '' && (value === xsi || value === xsd))) {
      bindings.set(bound, value);
      // If two prefixes are bound to it, uses of the first are left to the strict reader.
      if (value === xsi) instances = bound;
    } else throw notQuick;
  }
  const isOurs = bindings.get(prefix) === namespace || (prefix === '' && !bindings.has(''));
  if (!isOurs || !others.every((name) => isSchemaLocation(name, instances))) throw notQuick;
  return { prefix, xsi: instances };
}

/**
 * Reads a document in this form, if it is well-formed, within the limits and without unknown or duplicate members.
 * @returns undefined for any other document
 */
export function readQuickDocument(schema: TSchema, { one, namespace }: Naming, document: string): unknown {
  if (document.length > maxQuickLength || !mayBeQuick(document)) return undefined;
  return attemptQuickly(() => {
    const text = new QuickText(document);
    text.begin(declaration.exec(document)?.[0].length ?? 0);
    text.skipSpace();
    const name = text.readName() ?? '';
    if (!name.endsWith(one)) throw notQuick;
    const prefix = name.slice(0, -one.length);
    if (prefix !== '' && !prefix.endsWith(':')) throw notQuick;
    const reader = new QuickReader(text, readContext(text, prefix, namespace));
    const value = reader.readContent(schema, one);
    text.skipSpace();
    text.assertEnd();
    return value;
  });
}
