import { randomUUID } from 'node:crypto';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import { noMembers, Stored } from '../../src/domain/resource/stored.ts';

/** A valid group like no other: what isn't given in `overrides` is either new (id, displayName, version) or fixed. */
export function aGroup(overrides: Partial<GroupDocument> = {}): Stored<GroupDocument> {
  const id = overrides.id ?? randomUUID();
  return Stored.of(
    {
      id,
      displayName: `Group ${id}`,
      meta: {
        created: '2026-01-02T03:04:05.678Z',
        lastModified: '2026-01-02T03:04:05.678Z',
        version: randomUUID(),
      },
      ...overrides,
    },
    noMembers,
  );
}

/** The group with these changes and a new version, as a write would store it. */
export const changedGroup = (
  group: Stored<GroupDocument>,
  changes: Partial<GroupDocument> = {},
): Stored<GroupDocument> =>
  Stored.of({ ...group.value, ...changes, meta: { ...group.meta, version: randomUUID() } }, group.membership);
