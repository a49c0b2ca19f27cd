import { documentChecker } from '../resource/document-check.ts';
import { type FoundDocument, Stored } from '../resource/stored.ts';
import { type Group, GroupDocument } from './group.ts';

const checkGroup = documentChecker<GroupDocument>('group', GroupDocument);

/** What the store knows of a group's members. */
export interface Membership {
  readonly memberCount: number;
  /** Counts the changes of members: an integer, 0 for a new group. */
  readonly revision: number;
}

const nobody: Membership = { memberCount: 0, revision: 0 };

/** The last member of a document. Inside a text its quotes would be escaped. */
const lastMember = ',"meta":{';

/** A group as stores take and return it: its document, and how many members it has. */
export class StoredGroup extends Stored<GroupDocument> {
  readonly membership: Membership;

  private constructor(text: string | undefined, membership: Membership, found?: FoundDocument) {
    super(text, found);
    this.membership = membership;
  }

  /** Printed at once. @param membership left out: of a new group */
  static of(document: GroupDocument, membership: Membership = nobody): StoredGroup {
    return new StoredGroup(JSON.stringify(document), membership);
  }

  /** @param text canonical JSON, as `text` gave it */
  static fromText(text: string, membership: Membership): StoredGroup {
    return new StoredGroup(text, membership);
  }

  /** From a document that another program may have written: it is checked on first use. */
  static fromDocument(found: FoundDocument, membership: Membership): StoredGroup {
    return new StoredGroup(undefined, membership, found);
  }

  /** For `replace` and `remove` of a store: a change of members alters it too. `versionAndRevision` takes it apart. */
  override get version(): string {
    return `${super.version}.${this.membership.revision}`;
  }

  override get shown(): string {
    const at = this.text.lastIndexOf(lastMember);
    return `${this.text.slice(0, at)},"memberCount":${this.membership.memberCount}${this.text.slice(at)}`;
  }

  /** As clients see it. @throws DomainError `damaged-group` */
  get group(): Group {
    const { meta, ...members } = this.value;
    return { ...members, memberCount: this.membership.memberCount, meta };
  }

  protected checkDocument(id: string, document: unknown) {
    return checkGroup(id, document);
  }
}

/** Takes `StoredGroup.version` apart. */
export function versionAndRevision(version: string): readonly [version: string, revision: number] {
  const at = version.lastIndexOf('.');
  return [version.slice(0, at), Number(version.slice(at + 1))];
}
