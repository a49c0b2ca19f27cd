/**
 * Sub-attributes that the service takes but doesn't store, where it stores a list of texts (a user's roles). Identity providers send them
 * with each item, and name them in the paths of a PATCH.
 */
import { type Attribute, type AttributePath, absent, textAttribute } from './attributes.ts';
import { isNamed } from './fold-name.ts';

/** What an item of any list may have (RFC 7643 §2.4), and app roles of Entra ID. */
const unkept: readonly Attribute[] = ['display', 'type', 'primary', '$ref', 'id', 'displayName'].map((name) =>
  textAttribute(name, '', name === 'primary' ? { type: 'boolean' } : {}),
);

/** A sub-attribute that the service takes but doesn't store, as it stores only texts. @param name in any case */
export const findUnkept = ({ isTexts }: Attribute, name: string): Attribute | undefined =>
  isTexts ? unkept.find((sub) => isNamed(name, sub.name)) : undefined;

/** As the path of a PATCH: it may name what the service doesn't store. */
export const withUnkept = (path: AttributePath): AttributePath =>
  path.attribute.isTexts
    ? { ...path, subs: [...path.subs, ...unkept.map((sub) => ({ ...absent(path), sub, subs: [] }))] }
    : path;
