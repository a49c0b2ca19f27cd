/** Ids in order of creation, and random versions. */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '../../domain/ports.ts';

/** 128 random bits: a version recurs neither by chance nor after a restore. */
const versionBytes = 16;

export const randomIds: Ids = {
  id: () => v7(),
  version: () => randomBytes(versionBytes).toString('base64url'),
};
