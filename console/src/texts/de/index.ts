import type { Catalog } from '../en/index.ts';
import { bulk } from './bulk.ts';
import { change } from './change.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { kinds } from './kinds.ts';
import { list } from './list.ts';
import { session } from './session.ts';
import { shortcuts } from './shortcuts.ts';

export const de: Catalog = { bulk, change, frame, history, kinds, list, session, shortcuts };
