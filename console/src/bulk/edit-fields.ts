/** The fields that bulk changes offer: fields whose values many users share, and that the access profile allows to change. */
import { fieldAt } from '../form/pointers.ts';
import type { Field } from '../schema/fields.ts';
import { days, type KindName } from '../schema/kinds.ts';
import { declaredOf, fieldsOf } from '../schema/load-fields.ts';

/** In display order. Fields that the schema lacks are left out. */
const shared: Readonly<Record<KindName, readonly string[]>> = {
  user: [
    'enterprise.department',
    'title',
    'userType',
    'validFrom',
    'validUntil',
    'roles',
    'enterprise.manager',
    'enterprise.organization',
    'enterprise.division',
    'enterprise.costCenter',
    'preferredLanguage',
    'locale',
    'timezone',
  ],
  group: ['description'],
};

export interface EditField {
  readonly path: readonly string[];
  readonly label: string;
  /** `items`: a list of texts, such as roles. `person`: a user, by id and name. `user`: a user, by id. */
  readonly takes: 'text' | 'day' | 'flag' | 'items' | 'person' | 'user';
}

function takesOf(field: Field): EditField['takes'] | undefined {
  if (field.isUnique) return undefined;
  if (field.kind === 'text') {
    if (field.type === 'user') return 'user';
    if (field.type === 'boolean') return 'flag';
    return field.type === 'date' || field.path in days ? 'day' : 'text';
  }
  if (field.kind === 'list' && field.item.kind === 'text') return 'items';
  return field.kind === 'group' && field.name === 'manager' ? 'person' : undefined;
}

export const editFieldsOf = (kind: KindName): readonly EditField[] =>
  [...shared[kind], ...declaredOf(kind).map((field) => field.path)].flatMap((joined) => {
    const path = joined.split('.');
    const field = fieldAt(fieldsOf(kind), path);
    const takes = field === undefined ? undefined : takesOf(field);
    return field === undefined || field.isLocked || field.isReadOnly || takes === undefined
      ? []
      : [{ path, label: field.label, takes }];
  });
