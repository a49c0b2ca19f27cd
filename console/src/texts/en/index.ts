import { bulk } from './bulk.ts';
import { change } from './change.ts';
import { failures } from './failures.ts';
import { fields } from './fields.ts';
import { form } from './form.ts';
import { history } from './history.ts';
import { kinds } from './kinds.ts';
import { list } from './list.ts';
import { page } from './page.ts';
import { resource } from './resource.ts';
import { session } from './session.ts';
import { shortcuts } from './shortcuts.ts';
import { webhooks } from './webhooks.ts';

/** The English texts, and the type of every other catalog. */
export const en = {
  bulk,
  change,
  failures,
  fields,
  form,
  history,
  kinds,
  list,
  page,
  resource,
  session,
  shortcuts,
  webhooks,
};

export type Catalog = typeof en;
