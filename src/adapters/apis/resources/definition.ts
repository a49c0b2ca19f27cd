/** The API of one kind of resource: what follows from the kind, and what only its API knows. */
import * as Type from 'typebox';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { capitalize } from '../../contracts/names.ts';
import type { Naming } from '../../formats/port/format.ts';
import type { BodyType, DocumentType } from '../../http/pipeline/api.ts';

/** The XML namespace of every document. */
export const namespace = 'urn:user-management:1';

/** The id in each first example, so that requests on the documentation page find the resource that they create. */
export const exampleId = '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';

const exampleMeta = {
  created: '2026-01-02T03:04:05.678Z',
  lastModified: '2026-01-02T03:04:05.678Z',
  version: 'PyVbq3y8nqHSLmyZVxkN3Q',
};

/** The members of a list besides its resources. */
const Total = Type.Object({
  total: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The number of all matches, on this page and on others; if the request asks for it.',
    }),
  ),
});

interface ResourceTexts {
  /** A body of POST or PUT, without `id`. */
  readonly example: object;
  /** The members of the example that only the service sets, besides `id` and `meta`. */
  readonly shownExample?: object;
  readonly patchExample: object;
  /** Rules beyond the schema, for the contract: sentences that follow the description of an input. */
  readonly inputRules?: string;
  /** Sentences for the contract, besides the sentences for every kind. */
  readonly about: { readonly create: string; readonly replace: string; readonly patch: string };
  /** Sentences on the unique name, for the problem page. */
  readonly nameRule: string;
}

interface ResourceRules {
  readonly kind: Kind;
  readonly texts: ResourceTexts;
}

export interface ResourceDefinition extends ResourceRules {
  readonly naming: Naming;
  readonly document: DocumentType;
  readonly list: DocumentType;
  readonly input: BodyType;
  readonly patch: BodyType;
}

export const namingOf = ({ name, plural }: Pick<Kind, 'name' | 'plural'>): Naming => ({
  one: name,
  many: plural,
  namespace,
});

export const pathOf = ({ kind }: Pick<ResourceDefinition, 'kind'>): string => `/${kind.plural}`;

export function defineResource(rules: ResourceRules): ResourceDefinition {
  const { kind, texts } = rules;
  const { name, plural } = kind;
  const naming = namingOf(kind);
  const Name = capitalize(name);
  const example: Record<string, unknown> = {
    ...{ id: exampleId, ...texts.example, ...texts.shownExample },
    meta: exampleMeta,
  };
  const document: DocumentType = {
    name: Name,
    schema: kind.shown,
    naming,
    // In the order of the schema's members.
    example: Object.fromEntries(
      Object.keys(kind.shown.properties).flatMap((member) =>
        member in example ? [[member, example[member]]] : [],
      ),
    ),
  };
  const input = { schema: kind.input, naming, ignores: kind.readOnly };
  const beyond = texts.inputRules === undefined ? '' : ` ${texts.inputRules}`;
  return {
    ...rules,
    naming,
    document,
    list: {
      ...document,
      name: capitalize(plural),
      isList: true,
      beside: Total,
      description: `A list of ${plural}, in the requested order; by default in that of their ids.`,
    },
    input: {
      ...input,
      name: `${Name}Input`,
      description: `A ${name} as a client sends it.${beyond}`,
      kind: 'whole',
      // The example id of the paths, so that the requests on the documentation page find what this one creates.
      example: { id: exampleId, ...texts.example },
    },
    patch: {
      ...input,
      name: `${Name}Patch`,
      description: `A JSON Merge Patch (RFC 7396). It changes the members that it names; all others stay. An empty text or list removes the member, as \`null\` does.${beyond}`,
      kind: 'patch',
      example: texts.patchExample,
    },
  };
}
