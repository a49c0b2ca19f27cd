/**
 * Prints YAML. A module of its own, to be imported when it is needed: in the bundle a CommonJS package has no named exports when it
 * is imported dynamically itself.
 */
import { stringify } from 'yaml';

export const printYaml = (document: unknown): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
