/** Reads and checks the start tag of a list. */
import type { SaxesTagNS } from 'saxes';
import type { Naming } from '../../core/format.ts';
import type { QuickContext } from '../quick/reader.ts';
import { type ElementStart, type Refuse, toElementStart, xsi } from '../strict/well-formedness.ts';

/** The context of the list's items, which share its prefix and namespace. */
export function toContext({ prefix, ns }: SaxesTagNS): QuickContext {
  const [instances] = Object.entries(ns).find(([name, uri]) => name !== '' && uri === xsi) ?? [];
  const withColon = (name: string): string => `${name}:`;
  return {
    prefix: prefix === '' ? '' : withColon(prefix),
    xsi: instances === undefined ? undefined : withColon(instances),
  };
}

/** Ignores the attribute `total`, which only lists have. */
export function readListStart(tag: SaxesTagNS, naming: Naming, refuse: Refuse): ElementStart {
  const { total, ...attributes } = tag.attributes;
  // XML Schema's nonNegativeInteger (XSD 1.0 part 2 §3.3.20).
  if (total !== undefined && !/^[ \t\n\r]*\+?[0-9]+[ \t\n\r]*$/.test(total.value))
    refuse('total must be a whole number');
  const start = toElementStart({ ...tag, attributes });
  const { name, namespace, nil, key, hasUnknownAttribute } = start;
  const { many, namespace: own } = naming;
  if (name !== many || (namespace !== own && namespace !== ''))
    refuse(`a list is <${many}>, in the namespace ${own} or in none`);
  if (nil || hasUnknownAttribute || key !== undefined)
    refuse(`<${many}> has an attribute that is not known here`);
  return start;
}
