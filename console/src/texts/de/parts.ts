import type { Catalog } from '../en/index.ts';

export const parts: Catalog['parts'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  stop: 'Anhalten',
  stopping: 'Wird angehalten …',
};
