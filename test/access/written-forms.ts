/** Users and groups as clients write them in XML and for SCIM. */
import type { Document, Plural } from './profile-model.ts';

export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  own: 'urn:user-management:1:User',
  ownOfGroup: 'urn:user-management:1:Group',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulk: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
};

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const items: Readonly<Record<string, string>> = {
  ...{ emails: 'email', phoneNumbers: 'phoneNumber', addresses: 'address', roles: 'role' },
  ...{ x509Certificates: 'x509Certificate', add: 'id', remove: 'id' },
};

/** Texts of these tests need no references. */
function element(name: string, value: unknown, attributes = ''): string {
  if (name === 'attributes' && isObject(value))
    return `<attributes>${Object.entries(value)
      .map(([entry, text]) => element('attribute', text, ` name="${entry}"`))
      .join('')}</attributes>`;
  const inner = (): string => {
    if (Array.isArray(value)) return value.map((item) => element(items[name] ?? 'item', item)).join('');
    if (!isObject(value)) return String(value);
    return Object.entries(value)
      .map(([member, part]) => element(member, part))
      .join('');
  };
  return `<${name}${attributes}>${inner()}</${name}>`;
}

export const toXml = (root: string, value: Document): string =>
  element(root, value, ' xmlns="urn:user-management:1"');

const declared = ['system', 'badge', 'remote'];

function toAttribute(of: Plural, name: string, value: unknown): Document {
  const own = of === 'users' ? urns.own : urns.ownOfGroup;
  if (name === 'roles') return { roles: (value as string[]).map((role) => ({ value: role })) };
  if (name === 'enterprise') return { [urns.enterprise]: value };
  if (name !== 'attributes' || !isObject(value)) return { [name]: value };
  const texts = Object.entries(value).filter(([entry]) => !declared.includes(entry));
  const typed = Object.entries(value).filter(([entry]) => declared.includes(entry));
  const list = texts.map(([entry, text]) => ({ name: entry, value: text }));
  return { [own]: { ...Object.fromEntries(typed), ...(list.length > 0 && { attributes: list }) } };
}

/** @param isPatch an operation for each member, else a resource */
export function toScim(of: Plural, members: Document, isPatch: boolean): Document {
  const parts = Object.entries(members).map(([name, value]) => toAttribute(of, name, value));
  if (!isPatch) return { schemas: [of === 'users' ? urns.user : urns.group], ...Object.assign({}, ...parts) };
  return { schemas: [urns.patch], Operations: parts.map((value) => ({ op: 'replace', value })) };
}
