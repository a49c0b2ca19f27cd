/** The target of an import: the directory over the public API, with one request for each resource. */
import type { Directory, Document, WriteEnd } from 'user-files/types';
import { type Attempt, patiently, readPatiently } from '../answers/patiently.ts';
import { readPages } from '../answers/read-pages.ts';
import { countResources, listResources, readResource, type Tagged } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { type Change, create, replace } from '../change/change-resource.ts';
import { newId } from '../change/new-id.ts';
import type { JsonObject } from '../schema/documents.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';

/** The number of remembered tags: twice the rows that are planned together. */
const maxTagged = 1024;

/** Of the problems of an access profile. A missing scope, in contrast, ends the import. */
const ofProfile = /\/(?:attribute-hidden|attribute-read-only|outside-of-profile)$/;

/** Refusals that concern one resource. */
function endOfRefusal({ status, page = '', violations, title, detail }: Failure): WriteEnd | undefined {
  const at = violations[0]?.pointer ?? '';
  // A declared attribute may be unique, too.
  if (status === 409 && !at.startsWith('/attributes/')) return { taken: at === '/id' ? 'id' : 'name' };
  if (![400, 409, 413, 422].includes(status) && !ofProfile.test(page)) return undefined;
  return { refused: violations.length > 0 ? violations : [{ pointer: '', detail: detail || title }] };
}

function endOf(change: Change): Attempt<WriteEnd> {
  switch (change.kind) {
    case 'done':
      return { came: change.isOlder === true ? { taken: 'id' } : 'done' };
    case 'overtaken':
    case 'gone':
      return { came: 'stale' };
    case 'refused': {
      const came = endOfRefusal(change.failure);
      return came === undefined ? change : { came };
    }
    default:
      return { failure: undefined };
  }
}

/** @param signal ends it @throws Error that says in the words of the console why nothing more can be written */
export class ApiDirectory implements Directory {
  readonly #kind: KindName;
  readonly #signal: AbortSignal;
  /** The resources that were read, with the tags for changes. */
  readonly #tagged = new Map<string, Tagged>();
  /** The id of all requests of an import, which is shown and taken back as one. */
  readonly operation = newId();

  constructor(kind: KindName, signal: AbortSignal) {
    [this.#kind, this.#signal] = [kind, signal];
  }

  readonly id = newId;

  async read(id: string, kind: KindName): Promise<Document | undefined> {
    const tagged = await this.#readTagged(id, kind);
    if (tagged === undefined) return undefined;
    if (this.#tagged.size >= maxTagged) this.#tagged.clear();
    this.#tagged.set(id, tagged);
    return tagged.resource;
  }

  /** 400 and 404: no id. */
  #readTagged(id: string, kind = this.#kind): Promise<Tagged | undefined> {
    const ask = () => readResource({ kind, id }, this.#signal);
    return readPatiently(ask, [400, 404], this.#signal);
  }

  /** 400: no resource can have such a value. */
  async findBy(member: string, value: string, limit: number, kind: KindName): Promise<readonly Document[]> {
    const query = { [member]: value, limit } as ListQuery;
    const ask = () => listResources({ kind, query }, this.#signal);
    const page = await readPatiently(ask, [400], this.#signal);
    return page?.resources ?? [];
  }

  async list(most: number): Promise<AsyncIterable<readonly Document[]> | undefined> {
    const counted = await countResources({ kind: this.#kind, query: {} }, this.#signal);
    if (!counted.ok || counted.value > most) return undefined;
    return readPages(this.#kind, {}, this.#signal);
  }

  create(document: Document): Promise<WriteEnd> {
    return this.#write(() => create(this.#kind, document as JsonObject, this.operation));
  }

  async replace(document: Document, version: string): Promise<WriteEnd> {
    const id = String(document.id);
    const base = this.#tagged.get(id) ?? (await this.#readTagged(id));
    this.#tagged.delete(id);
    if (base?.resource.meta.version !== version) return 'stale';
    return await this.#write(() => replace(base, document as JsonObject, this.operation));
  }

  #write(make: () => Promise<Change>): Promise<WriteEnd> {
    return patiently(async () => endOf(await make()), this.#signal);
  }
}
