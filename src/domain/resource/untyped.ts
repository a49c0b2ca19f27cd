/** Declared attributes for clients that are pinned to a version of the contract in which attributes were texts. */

import type { TObject } from 'typebox';
import { attributesMember, attributeText } from '../validation/attribute-types.ts';
import { isObject } from '../validation/plain-values.ts';
import { isLater } from './annotations.ts';
import { type Projection, whole } from './projection.ts';

/** The first version of the contract with types. */
const typedSince = '1.13';

const mark = `"${attributesMember}":{`;

/** Shares the argument's other parts. */
function show(value: object): object {
  const attributes: unknown = Reflect.get(value, attributesMember);
  if (!isObject(attributes)) return value;
  const texts = Object.entries(attributes).map(([name, one]) => [name, attributeText(one)]);
  return { ...value, [attributesMember]: Object.fromEntries(texts) };
}

/** The projection with texts in the place of typed values; the projection itself if the client or the kind knows no types. */
export function textsOnly(
  schema: TObject,
  contract: string,
  projection: Projection | undefined,
): Projection | undefined {
  const { properties } = (schema.properties[attributesMember] ?? {}) as { properties?: object };
  if (properties === undefined || !isLater(typedSince, contract)) return projection;
  const inner = projection ?? whole;
  return {
    ...inner,
    show: (value) => show(inner.show(value)),
    showText(text) {
      const shown = inner.showText(text);
      return shown.includes(mark) ? JSON.stringify(show(JSON.parse(shown))) : shown;
    },
  };
}
