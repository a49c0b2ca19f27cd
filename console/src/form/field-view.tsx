import { managerPath } from '../schema/kinds.ts';
import type { ControlProps } from './form-context.ts';
import { GroupControl } from './group-control.tsx';
import { ListControl } from './list-control.tsx';
import { PersonControl } from './person-control.tsx';
import { ValueControl } from './value-control.tsx';

/** The control that fits the field: a folder's file for each kind of control, over the inputs of `parts/` and `picker/`. */
export function FieldView(props: ControlProps) {
  const { field } = props;
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'flag':
      return <ValueControl {...props} field={field} />;
    case 'group':
      if (field.path === managerPath) return <PersonControl {...props} field={field} />;
      return <GroupControl {...props} field={field} />;
    case 'list':
    case 'map':
      return <ListControl {...props} field={field} />;
  }
}
