import { bulk } from './bulk.ts';
import { change } from './change.ts';
import { failures } from './failures.ts';
import { fields } from './fields.ts';
import { files } from './files.ts';
import { form } from './form.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { kinds } from './kinds.ts';
import { list } from './list.ts';
import { parts } from './parts.ts';
import { picker } from './picker.ts';
import { resource } from './resource.ts';
import { session } from './session.ts';
import { shortcuts } from './shortcuts.ts';

/** The English texts, and the type of every other catalog. */
export const en = {
  bulk,
  change,
  failures,
  fields,
  files,
  form,
  frame,
  history,
  kinds,
  list,
  parts,
  picker,
  resource,
  session,
  shortcuts,
};

export type Catalog = typeof en;
