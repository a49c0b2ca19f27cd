import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { dropEmpty, type Json, printBriefly, printPointer, readPointer } from '../schema/documents.ts';
import { type Draft, type DraftGroup, groupOf, toDocumentGroup } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import { type KindName, nameOf, type Ref, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { DaysOf, keepDays } from './day-control.tsx';
import { FieldView } from './field-view.tsx';
import { FormMistakes, FormResource, isFixed, type Mistakes } from './form-context.ts';
import { isFolded, layOut, type Section } from './layout.ts';

interface SectionProps {
  readonly section: Section;
  readonly draft: DraftGroup;
  readonly onChange: (draft: DraftGroup) => void;
}

const namesOf = ({ path }: Field): readonly string[] => path.split('.');
const pointerOf = (field: Field): string => printPointer(namesOf(field));

/** @param pointer into the form, which counts the entries of a map: `#0` */
const draftAt = (draft: Draft, pointer: string): Draft =>
  readPointer(pointer).reduce<Draft>(
    (value, name) => (Object(value) as Readonly<Record<string, Draft>>)[name.replace(/^#/, '')],
    draft,
  );

function withValue(draft: DraftGroup, [name = '', ...rest]: readonly string[], value: Draft): DraftGroup {
  return { ...draft, [name]: rest.length === 0 ? value : withValue(groupOf(draft[name]), rest, value) };
}

const valueIn = (field: Field, draft: DraftGroup): Json | undefined =>
  dropEmpty(toDocumentGroup([field], { [field.name]: draftAt(draft, pointerOf(field)) }));

const isFilled = (field: Field, draft: DraftGroup): boolean => valueIn(field, draft) !== undefined;

/** Retired and locked attributes are shown where they have a value. */
function Fields({ section, draft, onChange }: SectionProps) {
  const of = useContext(FormResource);
  return (
    <div class="members">
      {section.fields.map(
        (field) =>
          (!isFixed(field, of) || isFilled(field, draft)) && (
            <FieldView
              key={field.path}
              field={field}
              value={draftAt(draft, pointerOf(field))}
              pointer={pointerOf(field)}
              onChange={(value) => onChange(withValue(draft, namesOf(field), value))}
            />
          ),
      )}
    </div>
  );
}

const isAt = (pointer: string, field: Field): boolean =>
  pointer === pointerOf(field) || pointer.startsWith(`${pointerOf(field)}/`);

/** Sections that a person has opened stay open for the next resource. */
const opened = new Set<string>();

/** Opens the sections that the pointers lead to, for a form that is about to be shown. */
export function openSections(kind: KindName, pointers: readonly string[]): void {
  for (const section of layOut(kind))
    if (section.fields.some((field) => pointers.some((pointer) => isAt(pointer, field))))
      opened.add(section.name);
}

/** Shows the values of its fields, and opens by itself when one of them has a mistake. */
function FoldedSection(props: SectionProps) {
  const { name, fields } = props.section;
  const mistakes = useContext(FormMistakes);
  const [isOpen, setOpen] = useState(() => opened.has(name));
  useEffect(() => {
    if ([...mistakes.keys()].some((pointer) => fields.some((field) => isAt(pointer, field)))) setOpen(true);
  }, [mistakes]);
  const filled = fields.flatMap((field) => valueIn(field, props.draft) ?? []);
  return (
    <details
      class="fold"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        if (open) opened.add(name);
        else opened.delete(name);
      }}
    >
      <summary>
        <span class="fold-name">{texts.form.sections[name]}</span>{' '}
        <span class="quiet small">{filled.map(printBriefly).filter(Boolean).join(' · ')}</span>
      </summary>
      <Fields {...props} />
    </details>
  );
}

function FormSection(props: SectionProps) {
  const { name } = props.section;
  if (isFolded(name)) return <FoldedSection {...props} />;
  return (
    <fieldset class="section">
      <legend>{texts.form.sections[name]}</legend>
      <Fields {...props} />
    </fieldset>
  );
}

interface ResourceFormProps {
  readonly of: Ref;
  /** The resource to change; undefined to create one. */
  readonly stored: Resource | undefined;
  readonly draft: DraftGroup;
  readonly mistakes: Mistakes;
  readonly onChange: (draft: DraftGroup) => void;
}

/** Removes mistakes whose values have changed since, also while the form is not shown. */
export function useStanding(mistakes: Mistakes, draft: DraftGroup): Mistakes {
  const found = useMemo(() => draft, [mistakes]);
  const standing = [...mistakes].filter(([at]) => draftAt(draft, at) === draftAt(found, at));
  return useMemo(() => new Map(standing), [mistakes, standing.length]);
}

const hasLocked = (field: Field): boolean =>
  field.isLocked || (field.kind === 'group' && field.fields.some(hasLocked));

function wholeNameOf({ name }: DraftGroup): string {
  const { givenName, familyName } = groupOf(name);
  return givenName && familyName ? `${givenName} ${familyName}` : '';
}

/** The display name of a new user, by which lists are sorted, follows the given and the family name until it is changed itself. */
const followName = (before: DraftGroup, next: DraftGroup): DraftGroup =>
  before.displayName === wholeNameOf(before) && next.displayName === before.displayName
    ? { ...next, displayName: wholeNameOf(next) }
    : next;

/** Every field that a person may fill in. */
export function ResourceForm(props: ResourceFormProps) {
  const { of, stored, draft, mistakes, onChange } = props;
  const storedName = stored && nameOf(stored);
  const isNew = stored === undefined;
  const resource = useMemo(() => ({ ...of, storedName, isNew }), [of.kind, of.id, storedName, isNew]);
  const sections = useMemo(() => layOut(of.kind), [of.kind]);
  return (
    <FormResource.Provider value={resource}>
      <FormMistakes.Provider value={mistakes}>
        <DaysOf.Provider value={{ user: draft }}>
          <fieldset class="resource-form">
            <legend class="unseen">{texts.form.about[of.kind]}</legend>
            {!isNew && sections.some(({ fields }) => fields.some(hasLocked)) && (
              <p class="locked quiet">{texts.form.locked}</p>
            )}
            {sections.map((section) => (
              <FormSection
                key={section.name}
                section={section}
                draft={draft}
                onChange={(next) =>
                  onChange(keepDays(draft, isNew && of.kind === 'user' ? followName(draft, next) : next))
                }
              />
            ))}
          </fieldset>
        </DaysOf.Provider>
      </FormMistakes.Provider>
    </FormResource.Provider>
  );
}
