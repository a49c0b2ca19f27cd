/** Access profiles, and what they leave of a directory. */

import type { Access } from '../../src/domain/access/access.ts';
import { makeAccess, type ProfileRules } from '../../src/domain/access/profile.ts';
import { kinds } from './kinds.ts';

/** Without rules for a kind: the profile leaves it out. */
export const profileOf = (
  rules: Readonly<Record<string, NonNullable<ReturnType<ProfileRules['get']>>>>,
): Access => makeAccess(kinds, 'tested', new Map(Object.entries(rules)), (text) => `m${text.length}`);
