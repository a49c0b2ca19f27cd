import { randomUUID } from 'node:crypto';
import type { GroupDocument } from '../../src/domain/group/group.ts';
import { StoredGroup } from '../../src/domain/group/stored-group.ts';

/** A valid group like no other: what isn't given in `overrides` is either new (id, displayName, version) or fixed. */
export function aGroup(overrides: Partial<GroupDocument> = {}): StoredGroup {
  const id = overrides.id ?? randomUUID();
  return StoredGroup.of({
    id,
    displayName: `Group ${id}`,
    meta: {
      created: '2026-01-02T03:04:05.678Z',
      lastModified: '2026-01-02T03:04:05.678Z',
      version: randomUUID(),
    },
    ...overrides,
  });
}

/** The group with these changes and a new version, as a write would store it. */
export const changedGroup = (group: StoredGroup, changes: Partial<GroupDocument> = {}): StoredGroup =>
  StoredGroup.of(
    { ...group.value, ...changes, meta: { ...group.meta, version: randomUUID() } },
    group.membership,
  );
