import { bulk } from './bulk.ts';
import { change } from './change.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { kinds } from './kinds.ts';
import { list } from './list.ts';
import { session } from './session.ts';
import { shortcuts } from './shortcuts.ts';

/** English, and what every other catalog must have. */
export const en = { bulk, change, frame, history, kinds, list, session, shortcuts };

export type Catalog = typeof en;
