/** Collects and prints a page of users: the requested number, or fewer if they are large. */

import { positionOf } from '../../../../domain/at-import.ts';
import type { Position } from '../../../../domain/find/sorts.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { Context } from '../../../http/core/context.ts';
import type { Choice } from '../../../http/headers/negotiation.ts';
import { listUrn } from '../base/messages.ts';
import { resourceOf, type ScimService } from '../base/service.ts';
import type { Batches } from '../filter/scan.ts';
import type { Selection } from '../filter/select.ts';
import type { Query } from './parameters.ts';

/** In UTF-16 code units. A page ends early beyond this length, as RFC 7644 §3.4.2.4 allows. A thousand usual users are shorter. */
const maxPageLength = 4 * 1024 * 1024;

interface Shown {
  /** The printed resource. */
  readonly text: string;
  readonly position: Position;
}

export interface Page {
  readonly users: readonly Shown[];
  /** More users follow, or precede if the page was read backwards. */
  readonly more: boolean;
}

export interface ListParts {
  readonly ctx: Context;
  readonly service: ScimService;
  readonly query: Query;
  readonly choice: Choice;
  readonly selection: Selection;
}

const print = ({ service, query, choice }: ListParts, user: Stored<User>): Shown => ({
  text: JSON.stringify(query.project(resourceOf(service, user, choice))),
  position: positionOf(user, query.sort),
});

/** Collects a page from the start of the batches. */
export async function collectFirst(parts: ListParts, batches: Batches): Promise<Page> {
  const users: Shown[] = [];
  let length = 0;
  for await (const batch of batches) {
    if (parts.ctx.res.closed) break;
    for (const user of batch) {
      if (users.length === parts.query.count || length > maxPageLength) return { users, more: true };
      const shown = print(parts, user);
      length += shown.text.length;
      users.push(shown);
    }
  }
  return { users, more: false };
}

/** Collects a page after `skip` users, and reads the rest to count it. */
export async function collectAndCount(parts: ListParts, skip: number): Promise<Page & { total: number }> {
  const users: Shown[] = [];
  let length = 0;
  let total = 0;
  for await (const batch of parts.selection.walk()) {
    if (parts.ctx.res.closed) break;
    for (const user of batch) {
      total += 1;
      if (total <= skip || users.length === parts.query.count || length > maxPageLength) continue;
      const shown = print(parts, user);
      length += shown.text.length;
      users.push(shown);
    }
  }
  return { users, total, more: total > skip + users.length };
}

/** Collects a page from the end of the batches: users created meanwhile don't shift it. */
export async function collectLast(parts: ListParts, batches: Batches): Promise<Page> {
  const users: Shown[] = [];
  let length = 0;
  let more = false;
  for await (const batch of batches) {
    if (parts.ctx.res.closed) break;
    for (const user of batch) {
      const shown = print(parts, user);
      length += shown.text.length;
      users.push(shown);
      for (let [first] = users; first !== undefined; [first] = users) {
        if (users.length <= parts.query.count && length - first.text.length <= maxPageLength) break;
        users.shift();
        length -= first.text.length;
        more = true;
      }
    }
  }
  return { users, more };
}

export const noPage: Page = { users: [], more: false };

export function printList(members: Readonly<Record<string, unknown>>, { users }: Page): string {
  const head = JSON.stringify({ schemas: [listUrn], ...members, itemsPerPage: users.length });
  return `${head.slice(0, -1)},"Resources":[${users.map(({ text }) => text).join(',')}]}`;
}
