/** What distinguishes one kind of resource from another in its API. */
import type { TObject } from 'typebox';
import type { KindName } from '../../../domain/base/errors.ts';
import type { Filter } from '../../../domain/find/filters.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { BodyType, DocumentType } from '../../http/core/api.ts';

export interface ListDefinition {
  readonly name: KindName;
  /** By parameter. */
  readonly filters: Readonly<Record<string, Pick<Filter, 'key' | 'description' | 'pattern'>>>;
  readonly sortNames: readonly string[];
  /** Filters that cursors include even if the list isn't filtered by them. */
  readonly alwaysNamed: ReadonlySet<string>;
}

export interface ResourceDefinition extends ListDefinition {
  /** As it is shown; searched fields and sorts are annotated. */
  readonly schema: TObject;
  readonly document: DocumentType;
  readonly list: DocumentType;
  readonly input: BodyType;
  readonly patch: BodyType;
  /** Part of the entity tag, beside the version: of a representation that changes without it. */
  readonly stateOf?: (stored: Stored<Resource>) => string;
  /** Sentences for the contract, beside those of any kind. */
  readonly about: {
    readonly create: string;
    readonly replace: string;
    readonly patch: string;
  };
  /** The problem when another resource has the name. */
  readonly nameTaken: string;
}

/** As in paths: `users`. */
export const pluralOf = ({ name }: Pick<ListDefinition, 'name'>): string => `${name}s`;
export const pathOf = (definition: Pick<ListDefinition, 'name'>): string => `/${pluralOf(definition)}`;
