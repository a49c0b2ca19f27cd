/** The attributes that the installation declares, from the schema that it publishes. */

import type { Declarations, Declared } from '../../domain/kinds/attributes/declaration.ts';
import type { FileKindName } from './engine.ts';

/** Of one attribute. The limits of a list's items are beside them. */
interface Published extends Pick<Declared, 'maxItems' | 'maxLength' | 'minimum' | 'maximum'> {
  readonly 'x-type': Declared['type'];
  readonly 'x-labels'?: Declared['label'];
  readonly readOnly?: boolean;
  readonly 'x-values'?: string[];
  readonly items?: Omit<Published, 'x-type'>;
}

/** Without patterns, which only the service checks: it publishes others, which leave out characters. */
function toDeclared(published: Published): Declared {
  const { 'x-type': type, 'x-labels': label, readOnly: retired, items, maxItems } = published;
  const { maxLength, minimum, maximum, 'x-values': values } = items ?? published;
  const given = { label, retired, maxItems, maxLength, minimum, maximum, values };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { type, list: items !== undefined, ...Object.fromEntries(set) };
}

async function load(kind: FileKindName, input: string) {
  // Two folders above the script, as in `console/src/root.ts`.
  const url = new URL(`../../schemas/${kind}.json`, import.meta.url);
  const answer = await fetch(url, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`the schema: ${answer.status}`);
  const { attributes } = (await answer.json()).$defs[input].properties;
  const published = Object.entries((attributes.properties ?? {}) as Readonly<Record<string, Published>>);
  return {
    undeclared: attributes.additionalProperties === false ? 'refuse' : 'text',
    attributes: Object.fromEntries(published.map(([name, one]) => [name, toDeclared(one)])),
  } as const;
}

/** @throws as `fetch` */
export async function loadDeclarations(): Promise<Declarations> {
  const [ofUsers, { attributes: groups }] = await Promise.all([
    load('user', 'UserInput'),
    load('group', 'GroupInput'),
  ]);
  return { ...ofUsers, groups };
}
