/** `/schemas/user.json`, as far as a form is made of it. */
import { Observable } from '../parts/observable.ts';
import { urlOf } from '../root.ts';
import { type Field, readFields } from './fields.ts';

export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly contains?: Schema;
  readonly maxContains?: number;
}

/** Of a user; undefined until they are there. */
export const userFields = new Observable<readonly Field[] | undefined>(undefined);

let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const response = await fetch(urlOf('schemas/user.json'), { credentials: 'omit' });
  if (!response.ok) throw new Error(`the schema: ${response.status}`);
  const schema: Schema = await response.json();
  userFields.set(readFields(schema));
}

/** Once; again after a failure. @throws whatever `fetch` throws */
export function loadUserFields(): Promise<void> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
