import type { Catalog } from '../en/index.ts';
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

export const de: Catalog = {
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
