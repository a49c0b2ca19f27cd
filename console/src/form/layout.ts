/** The order of the form. */
import { type Field, findWritable } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { declaredOf, fieldsOf } from '../schema/load-fields.ts';
import type { texts } from '../texts/texts.ts';

type SectionName = keyof typeof texts.form.sections;

export interface Section {
  readonly name: SectionName;
  readonly fields: readonly Field[];
}

type Plan = readonly (readonly [name: SectionName, paths: readonly string[]])[];

/** A group may be divided among sections, by the paths of its members. Other fields are in the last section, `more`. */
const plans: Readonly<Record<KindName, Plan>> = {
  user: [
    [
      'person',
      [
        'name.givenName',
        'name.familyName',
        'displayName',
        'userName',
        'nickName',
        'active',
        'validFrom',
        'validUntil',
        'emails',
      ],
    ],
    ['job', ['title', 'enterprise.department', 'enterprise.employeeNumber', 'enterprise.manager']],
    ['contact', ['phoneNumbers', 'addresses', 'ims', 'profileUrl', 'photos']],
    ['access', ['roles', 'entitlements', 'x509Certificates']],
    ['organization', ['userType', 'enterprise.organization', 'enterprise.division', 'enterprise.costCenter']],
    ['regional', ['preferredLanguage', 'locale', 'timezone']],
    ['names', ['name.honorificPrefix', 'name.middleName', 'name.honorificSuffix', 'name.formatted']],
    ['more', ['externalId', 'attributes']],
  ],
  group: [
    ['group', ['displayName', 'description', 'externalId']],
    ['more', []],
  ],
};

/** Sections that are always open. */
const unfolded: readonly SectionName[] = ['person', 'job', 'declared', 'group'];
export const isFolded = (name: SectionName): boolean => !unfolded.includes(name);

/** @param paths all paths that sections name */
function divide(field: Field, paths: readonly string[]): readonly Field[] {
  if (field.kind !== 'group' || !paths.some((path) => path.startsWith(`${field.path}.`))) return [field];
  return field.fields.flatMap((member) => divide(member, paths));
}

/** Sections that have fields. */
export function layOut(kind: KindName): readonly Section[] {
  const at = plans[kind].findIndex(([name]) => isFolded(name));
  const plan = plans[kind].toSpliced(at, 0, ['declared', declaredOf(kind).map(({ path }) => path)]);
  const paths = plan.flatMap(([, own]) => own);
  const divided = findWritable(fieldsOf(kind)).flatMap((field) => divide(field, paths));
  const placeOf = ({ path }: Field): number => (paths.includes(path) ? paths.indexOf(path) : paths.length);
  const ordered = divided.toSorted((one, other) => placeOf(one) - placeOf(other));
  const sections = plan.map(([name, own]) => ({
    name,
    fields: ordered.filter(({ path }) => own.includes(path) || (name === 'more' && !paths.includes(path))),
  }));
  return sections.filter((section) => section.fields.length > 0);
}
