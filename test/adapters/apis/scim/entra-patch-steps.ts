/** How Microsoft Entra ID writes the operations of a PATCH. */
import { enterprise, type Members } from './exchanges.ts';

/** One PATCH. */
export interface Step {
  readonly title: string;
  readonly operations: readonly Members[];
  /** What it makes of the user, beside what is there; undefined for what is gone. */
  readonly makes?: Members;
  /** Words of the refusal, and its keyword: then nothing is changed. */
  readonly refused?: readonly [words: string, scimType: string];
}

export const add = (path: string, value: unknown): Members => ({ op: 'Add', path, value });
export const replace = (path: string, value: unknown): Members => ({ op: 'Replace', path, value });
export const remove = (path: string): Members => ({ op: 'Remove', path });

/** A path below the extension, as Entra ID writes it. */
export const ext = (name: string): string => `${enterprise}:${name}`;
export const reference = (who: string): Members => ({ value: `{{id ${who}}}` });
