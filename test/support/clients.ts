/** The two kinds of client: what each sends, and what it expects back. */

/** Members that are texts, for a user in either format. */
type Texts = Readonly<Record<string, string>>;

export interface ClientKind {
  readonly type: string;
  readonly contentType: string;
  readonly problemType: string;
  /** Header fields for a read and for a write. */
  readonly read: Readonly<Record<string, string>>;
  readonly write: Readonly<Record<string, string>>;
  user(members: Texts): string;
  /** A member of a document, if it has it. */
  member(text: string, name: string): string | undefined;
}

const kind = (
  type: string,
  contentType: string,
  problemType: string,
  documents: Pick<ClientKind, 'user' | 'member'>,
): ClientKind => ({
  type,
  contentType,
  problemType,
  read: { accept: type },
  write: { accept: type, 'content-type': type },
  ...documents,
});

const element = ([name, text]: [string, string]): string => `<${name}>${text}</${name}>`;

export const clients = {
  JSON: kind('application/json', 'application/json', 'application/problem+json', {
    user: (members) => JSON.stringify(members),
    member: (text, name) => JSON.parse(text)[name],
  }),
  XML: kind('application/xml', 'application/xml; charset=utf-8', 'application/problem+xml; charset=utf-8', {
    user: (members) => `<user>${Object.entries(members).map(element).join('')}</user>`,
    member: (text, name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1],
  }),
} as const satisfies Record<string, ClientKind>;

export type ClientName = keyof typeof clients;
export const clientNames: readonly ClientName[] = ['JSON', 'XML'];

/** Shaped like an id, and nobody's. */
export const nobody = '00000000-0000-4000-8000-000000000000';
