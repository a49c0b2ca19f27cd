/** Checks SCIM resources against what `/Schemas` says of them (RFC 7643 §7), to the letter. */

export interface PublishedAttribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly returned: string;
  readonly mutability: string;
  readonly subAttributes?: readonly PublishedAttribute[];
}

export interface PublishedSchema {
  readonly id: string;
  readonly attributes: readonly PublishedAttribute[];
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7643 §3.1; `attributes` may ask for some of it alone. */
const metadata: Readonly<Record<string, RegExp>> = {
  resourceType: /^(?:User|Group)$/,
  created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  lastModified: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  location: /\/scim\/v2\/(?:User|Group)s\/[0-9a-f-]{36}$/,
  version: /^"[!#-~]+"$/,
};

/** Of each resource type. */
const cores = ['User', 'Group'].map((name) => `urn:ietf:params:scim:schemas:core:2.0:${name}`);
const coreOf = (schemas: readonly unknown[]) => cores.find((core) => schemas.includes(core));

/** Of every resource (RFC 7643 §3.1), and of no schema. */
const common: Readonly<Record<string, (value: unknown) => boolean>> = {
  schemas: (value) =>
    Array.isArray(value) && coreOf(value) !== undefined && new Set(value).size === value.length,
  id: (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  meta: (value) =>
    isMembers(value) && Object.entries(value).every(([name, one]) => metadata[name]?.test(String(one))),
};

const texts: Readonly<Record<string, RegExp>> = {
  string: /./s,
  reference: /^\S+$/,
  binary: /^[A-Za-z0-9+/]+={0,2}$/,
  dateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
};

function* faultsOfOne(value: unknown, attribute: PublishedAttribute, place: string): Generator<string> {
  const { type, subAttributes = [] } = attribute;
  if (type === 'complex') {
    if (isMembers(value)) yield* faultsOfMembers(value, subAttributes, `${place}.`);
    else yield `${place} is not an object`;
  } else if (type === 'boolean') {
    if (typeof value !== 'boolean') yield `${place} is not a boolean`;
  } else if (type === 'integer' || type === 'decimal') {
    if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value)))
      yield `${place} is no ${type}`;
  } else if (typeof value !== 'string' || texts[type]?.test(value) !== true) yield `${place} is no ${type}`;
}

function* faultsOf(value: unknown, attribute: PublishedAttribute, place: string): Generator<string> {
  if (!attribute.multiValued) return yield* faultsOfOne(value, attribute, place);
  // A group shows that it has no members: without the list, it may have too many for one.
  const mayBeEmpty = place === 'members' || place === 'groups';
  if (!Array.isArray(value) || (value.length === 0 && !mayBeEmpty))
    return yield `${place} is not a list of values`;
  for (const [index, item] of value.entries()) yield* faultsOfOne(item, attribute, `${place}[${index}]`);
  const primary = value.filter((item) => isMembers(item) && item.primary === true);
  if (primary.length > 1) yield `${place} has several that are primary`;
}

function* faultsOfMembers(
  members: Members,
  attributes: readonly PublishedAttribute[],
  prefix: string,
): Generator<string> {
  if (Object.keys(members).length === 0) yield `${prefix} is empty`;
  for (const [name, value] of Object.entries(members)) {
    const attribute = attributes.find((one) => one.name === name);
    if (attribute === undefined) yield `${prefix}${name} stands in no schema`;
    else yield* faultsOf(value, attribute, `${prefix}${name}`);
  }
}

function* faultsOfResource(user: Members, schemas: readonly PublishedSchema[]): Generator<string> {
  for (const name of ['schemas', 'id']) if (!(name in user)) yield `${name} is missing`;
  const listed = user.schemas as readonly string[];
  const core = coreOf(listed);
  const ofCore: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(user)) {
    const extension = schemas.find(({ id }) => id === name && id !== core);
    if (common[name]?.(value) === false) yield `${name} is not what it has to be`;
    else if (extension !== undefined) {
      if (!listed.includes(name)) yield `${name} is not among the schemas`;
      yield* faultsOf(value, { ...plain, subAttributes: extension.attributes }, name);
    } else if (!(name in common)) ofCore[name] = value;
  }
  const { attributes = [] } = schemas.find(({ id }) => id === core) ?? {};
  if (Object.keys(ofCore).length > 0) yield* faultsOfMembers(ofCore, attributes, '');
}

/** Of an extension: an object of its attributes. */
const plain = {
  name: '',
  type: 'complex',
  multiValued: false,
  required: false,
  returned: '',
  mutability: '',
};

/** Of a user or group, or of those in a list; empty for any other document. */
export function findFaults(document: unknown, schemas: readonly PublishedSchema[]): readonly string[] {
  if (!isMembers(document) || !Array.isArray(document.schemas)) return [];
  const { Resources } = document;
  if (Array.isArray(Resources)) return Resources.flatMap((one) => findFaults(one, schemas));
  return coreOf(document.schemas) === undefined ? [] : [...faultsOfResource(document, schemas)];
}

/** By status: the keywords of RFC 7644 §3.12 and RFC 9865 §2.3 that it may come with. */
const keywords: Readonly<Record<number, RegExp>> = {
  400: /^(?:invalid(?:Filter|Syntax|Path|Value|Cursor|Count)|mutability|noTarget|tooMany)$/,
  409: /^uniqueness$/,
};

interface AnswerHead {
  readonly status: number;
  field(name: string): string | undefined;
}

/** Where a document says otherwise than the head of its answer, or than itself. */
export function findMismatches(document: unknown, { status, field }: AnswerHead): readonly string[] {
  if (!isMembers(document)) return [];
  const { Resources, itemsPerPage, scimType } = document;
  const meta = isMembers(document.meta) ? document.meta : {};
  const [tag, location] = [field('ETag'), field('Location')];
  const rules: readonly (readonly [isBroken: boolean, mistake: string])[] = [
    [status >= 400 && document.status !== String(status), `the error says ${document.status}, not ${status}`],
    [
      scimType !== undefined && keywords[status]?.test(String(scimType)) !== true,
      `${scimType} is no keyword of ${status}`,
    ],
    [
      Array.isArray(Resources) && Resources.length !== itemsPerPage,
      'itemsPerPage is not the number of Resources',
    ],
    [tag !== undefined && (meta.version ?? tag) !== tag, 'meta.version is not the ETag'],
    [location !== undefined && (meta.location ?? location) !== location, 'meta.location is not Location'],
  ];
  return rules.flatMap(([isBroken, mistake]) => (isBroken ? [mistake] : []));
}
