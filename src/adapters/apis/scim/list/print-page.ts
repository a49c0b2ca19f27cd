/** Prints a page of resources: the requested number, or fewer if they are large. */

import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { Choice } from '../../../http/headers/negotiation.ts';
import { type Context, clientOf } from '../../../http/pipeline/context.ts';
import { Slices } from '../../../scheduler/slices.ts';
import type { FilterSelection, Selected } from '../filter/select.ts';
import { listUrn } from '../protocol/messages.ts';
import { type AddRelated, readRelated } from '../protocol/related.ts';
import { type Endpoint, isVersioned, principalOf, resourceOf } from '../protocol/service.ts';
import type { ScimQuery } from './parameters.ts';

/** In UTF-16 code units. A page ends early beyond this length, as RFC 7644 §3.4.2.4 allows. A thousand usual users are shorter. */
const maxPageLength = 4 * 1024 * 1024;

/** `{"value":"…"},` in UTF-16 code units: the shortest form of a value of a relation. */
const valueLength = 49;

/** The number of resources that are read at a time, if the page has only their ids. */
const readAtOnce = 64;

export interface ListParts {
  readonly ctx: Context;
  readonly endpoint: Endpoint;
  readonly query: ScimQuery;
  readonly choice: Choice;
  readonly selection: FilterSelection;
  /** The resources are shown with the values of their relation. */
  readonly hasRelation: boolean;
}

interface Shown {
  readonly text: string;
  readonly stored: Stored<Resource>;
}

export interface PrintedPage extends Pick<Selected, 'more' | 'total'> {
  /** In the order in which they were found. */
  readonly shown: readonly Shown[];
  /** Its length in the response, including the text before it. */
  readonly length: number;
}

/** Leaves out resources that were deleted meanwhile. */
async function* readAll({ ctx, endpoint }: ListParts, { matches }: Selected) {
  for (let at = 0; at < matches.length; at += readAtOnce) {
    const some = matches.slice(at, at + readAtOnce);
    const ids = some.filter((one) => typeof one === 'string');
    const read = ids.length === 0 ? undefined : await endpoint.resources.readAll(principalOf(ctx), ids);
    yield some.flatMap((one) => (typeof one === 'string' ? (read?.get(one) ?? []) : one));
  }
}

/** The resource as the page shows it, and its length in the page. @param addRelated undefined if the page doesn't show the relation */
async function print(
  { endpoint, query, choice, hasRelation }: ListParts,
  stored: Stored<Resource>,
  addRelated: AddRelated | undefined,
) {
  const alone = resourceOf(endpoint, stored, hasRelation && !isVersioned(endpoint) ? undefined : choice);
  const { resource, read } = (await addRelated?.(stored, alone)) ?? { resource: alone, read: 0 };
  const text = JSON.stringify(query.projection.project(resource));
  // Values that are read but not shown cost as much as others.
  return { text, length: Math.max(text.length, read * valueLength) };
}

/** Pauses between resources, so that other requests are served. @param before the length of the response so far */
export async function printResultPage(
  parts: ListParts,
  selected: Selected,
  before: number,
): Promise<PrintedPage> {
  const { ctx, endpoint, hasRelation } = parts;
  const { more, total } = selected;
  const slices = new Slices(clientOf(ctx));
  const shown: Shown[] = [];
  let length = before;
  for await (const batch of readAll(parts, selected)) {
    let addRelated: AddRelated | undefined;
    for (const stored of batch) {
      if (length > maxPageLength || ctx.res.closed) return { shown, length, more: true, total };
      if (hasRelation) addRelated ??= await readRelated(endpoint, principalOf(ctx), batch);
      const printed = await print(parts, stored, addRelated);
      length += printed.length;
      shown.push({ text: printed.text, stored });
      await slices.pause();
    }
  }
  return { shown, length, more, total };
}

export function printList(
  members: Readonly<Record<string, unknown>>,
  shown: readonly Pick<Shown, 'text'>[],
): string {
  const head = JSON.stringify({ schemas: [listUrn], ...members, itemsPerPage: shown.length });
  return `${head.slice(0, -1)},"Resources":[${shown.map(({ text }) => text).join(',')}]}`;
}
