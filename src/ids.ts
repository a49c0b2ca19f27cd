/** Ids in the order of their making, and versions by chance. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from './domain/ports.ts';

/** 128 random bits make a version that comes back neither by chance nor after a restore. */
const versionBytes = 16;

/** Drawn ahead: the call costs more than the bytes. */
const drawn = Buffer.alloc(256 * versionBytes);
let used = drawn.length;

function newVersion(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += versionBytes;
  return drawn.toString('base64url', used - versionBytes, used);
}

export const randomIds: Ids = { userId: () => v7(), version: newVersion };
