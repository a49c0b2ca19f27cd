/** The changes that another file of declarations makes. Stores remember the one that they were last served with, as a text. */

import type { Declarations, Declared, Section } from './declaration.ts';

/** `added` also for a name under which texts may be stored. `stricter` if stored values may break the new rules. */
type AttributeChange = 'added' | 'removed' | 'retyped' | 'retired' | 'stricter' | 'changed';

export interface DeclaredChange {
  readonly name: string;
  readonly change: AttributeChange;
  readonly before: Declared | undefined;
  readonly next: Declared | undefined;
}

export const printDeclarations = (declarations: Declarations = {}): string => JSON.stringify(declarations);

/** @param text from `printDeclarations`; empty for a store that was never served */
export const parseRemembered = (text: string): Declarations => (text === '' ? {} : JSON.parse(text));

/** True if a process with other declarations has been started since. @param remembered empty or undefined: no process has served the store */
export const isOutdated = (remembered: string | undefined, own: string): boolean =>
  (remembered ?? '') !== '' && remembered !== own;

/** For a process whose declarations are outdated. */
export const declaredOtherwise =
  'A process with other attributes in its file (USERS_ATTRIBUTES_FILE) was started on this store: this one takes no more writes. Restart it with the same file.';

const limits = ['maxLength', 'maxItems', 'maximum', 'minimum', 'pattern', 'values'] as const;

/** Pattern and values can't be ordered: another one counts as stricter. */
function isStricter(before: Declared, next: Declared): boolean {
  return limits.some((limit) => {
    const [one, other] = [before[limit], next[limit]];
    if (other === undefined || JSON.stringify(one) === JSON.stringify(other)) return false;
    if (typeof one !== 'number' || typeof other !== 'number') return true;
    return limit === 'minimum' ? other > one : other < one;
  });
}

function changeOf(before: Declared | undefined, next: Declared | undefined): AttributeChange | undefined {
  if (before === undefined) return 'added';
  if (next === undefined) return 'removed';
  if (before.type !== next.type || (before.list ?? false) !== (next.list ?? false)) return 'retyped';
  if (next.retired && !before.retired) return 'retired';
  if (isStricter(before, next)) return 'stricter';
  return JSON.stringify(before) === JSON.stringify(next) ? undefined : 'changed';
}

/** In the order of the new file, removed ones last. */
export function compareDeclarations(
  section: Section,
  before: Declarations,
  next: Declarations,
): readonly DeclaredChange[] {
  const [old, now] = [before[section] ?? {}, next[section] ?? {}];
  return [...new Set([...Object.keys(now), ...Object.keys(old)])].flatMap((name) => {
    const change = changeOf(old[name], now[name]);
    return change === undefined ? [] : [{ name, change, before: old[name], next: now[name] }];
  });
}
