/** Ids in order of creation, random versions, and the marks of change logs. */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '../../domain/ports.ts';

/** 128 random bits: a version recurs neither by chance nor after a restore. */
const versionBytes = 16;

export const randomIds: Ids = {
  id: () => v7(),
  version: () => randomBytes(versionBytes).toString('base64url'),
};

/** Of an entry or a line of a change log: 48 random bits, by which a cursor is known to belong to it. */
export const newMark = (): string => randomBytes(6).toString('base64url');
