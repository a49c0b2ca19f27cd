import { frame } from './frame.ts';

/** English, and what every other catalog must have. */
export const en = { frame };

export type Catalog = typeof en;
