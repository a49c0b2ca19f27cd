/**
 * A document as YAML. A module of its own, imported when it is needed: bundled, a CommonJS package that is itself imported so
 * would not have its names.
 */
import { stringify } from 'yaml';

export const yaml = (document: unknown): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
