import { bulk } from './bulk.ts';
import { frame } from './frame.ts';
import { kinds } from './kinds.ts';
import { list } from './list.ts';

/** English, and what every other catalog must have. */
export const en = { bulk, frame, kinds, list };

export type Catalog = typeof en;
