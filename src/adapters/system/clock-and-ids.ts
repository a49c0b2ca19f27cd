/** The system's clock, ids in order of creation, and random versions. */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Ids } from '../../domain/ports.ts';

export const systemClock: Clock = { now: () => new Date() };

/** 128 random bits: a version recurs neither by chance nor after a restore. */
const versionBytes = 16;

export const randomIds: Ids = {
  id: () => v7(),
  version: () => randomBytes(versionBytes).toString('base64url'),
};

/** A mark for an entry or a line of a change log: 48 random bits, which show whether a cursor belongs to it. */
export const newMark = (): string => randomBytes(6).toString('base64url');
