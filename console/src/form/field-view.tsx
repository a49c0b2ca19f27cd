import { type Draft, entriesOf, groupOf, itemsOf } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';
import { FlagControl } from './flag-control.tsx';
import { GroupControl } from './group-control.tsx';
import { ListControl } from './list-control.tsx';
import { MapControl } from './map-control.tsx';
import { PersonControl } from './person-control.tsx';
import { TextControl } from './text-control.tsx';

const isPerson = ({ path }: Field): boolean => path === managerPath;

export interface FieldViewProps {
  readonly field: Field;
  readonly value: Draft;
  /** Where it stands in the resource (RFC 6901). */
  readonly pointer: string;
  /** In the place of the field's own. */
  readonly label?: string;
  /** Inside of a list, what a field is for isn't said for each item again. */
  readonly isBrief?: boolean;
  readonly onChange: (value: Draft) => void;
}

/** Whatever fits the field. */
export function FieldView(props: FieldViewProps) {
  const { field, value, pointer, onChange, isBrief = false, label = field.label } = props;
  const hint = isBrief ? '' : field.description;
  switch (field.kind) {
    case 'text':
    case 'number':
      return (
        <TextControl
          field={field}
          value={typeof value === 'string' ? value : ''}
          pointer={pointer}
          hint={hint}
          label={label}
          onChange={onChange}
        />
      );
    case 'flag':
      return (
        <FlagControl field={field} value={value === true} pointer={pointer} hint={hint} onChange={onChange} />
      );
    case 'group':
      if (isPerson(field))
        return <PersonControl field={field} value={groupOf(value)} pointer={pointer} onChange={onChange} />;
      return <GroupControl {...props} field={field} value={groupOf(value)} />;
    case 'list':
      return <ListControl field={field} value={itemsOf(value)} pointer={pointer} onChange={onChange} />;
    case 'map':
      return <MapControl field={field} value={entriesOf(value)} pointer={pointer} onChange={onChange} />;
  }
}
