/** Prints YAML. A separate module, since it is imported on demand: in the bundle, a dynamically imported CommonJS package has no named exports. */
import { stringify } from 'yaml';

export const printYaml = (document: unknown): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
