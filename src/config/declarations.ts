/** The file of declared attributes (the setting `attributes.file`), read when the service or a command starts. */

import {
  type Declarations,
  declaringKinds,
  parseDeclarations,
  type Section,
} from '../domain/kinds/attributes/declaration.ts';
import { type Kinds, kindsOf } from '../domain/kinds.ts';
import { readFile, SettingsError } from './sources.ts';

/** What a list takes beside its filters, and SCIM's own. */
const parameters = ['search', 'sort', 'limit', 'after', 'before', 'total', 'schemas'];

function builtInNames(section: Section): string[] {
  const { shown, filterNames, sortNames } = kindsOf().of(declaringKinds[section]);
  return [...new Set([...Object.keys(shown.properties), ...filterNames, ...sortNames, ...parameters])];
}

/** @param file empty: nothing is declared @throws SettingsError with a line for each mistake */
export function readDeclarations(file: string): Declarations | undefined {
  if (file === '') return undefined;
  const found = parseDeclarations(readFile(file), builtInNames);
  if (!Array.isArray(found)) return found as Declarations;
  throw new SettingsError(found.map((fault) => `${file}: ${fault}`).join('\n'));
}

/** The kinds of resources of this installation. */
export const kindsOfSettings = ({
  attributes,
}: {
  readonly attributes: { readonly declared?: Declarations | undefined };
}): Kinds => kindsOf(attributes.declared);
