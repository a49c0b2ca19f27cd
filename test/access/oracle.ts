/**
 * Two real services: the whole directory with a profile, and one that was filled with only what the profile shows. A client with the profile
 * gets from the first what an unlimited client gets from the second, or a refusal that the rules name, and changes nothing else.
 */
import { expect } from 'chai';
import { findNewest } from '../../src/domain/changes/log.ts';
import type { Store } from '../../src/domain/store.ts';
import { type Answer, startService } from '../support/service.ts';
import { type Content, contentOf, makeEqual, readContent } from './both-stores.ts';
import { type Directory, kinds } from './directories.ts';
import { base, type Client, lookThere, makers, sendThere } from './limited-client.ts';
import {
  type Document,
  isInside,
  isVisible,
  isWritable,
  leavesOf,
  mayBeNamed,
  only,
  type Plural,
  type Profile,
  type Rules,
  valueAt,
} from './profile-model.ts';
import { comparable, merge, seesMembers, showAll, withShown } from './shown-directory.ts';
import { bodyOf, type Named, type Seen, type Step } from './steps.ts';

interface Side extends Client {
  readonly store: Store;
}

const uniqueMembers = { users: 'userName', groups: 'displayName' } as const;
const pluralOf = ({ path }: Step): Plural => (/^\/(?:scim\/v2\/)?users/i.test(path) ? 'users' : 'groups');
const idIn = ({ path }: Step): string | undefined => /[0-9a-f-]{36}/.exec(path)?.[0];
const isList = ({ path, method }: Step): boolean =>
  !/[0-9a-f-]{36}/.test(path.split('?')[0] ?? '') && (method !== 'POST' || path.endsWith('.search'));
const isRestoration = ({ path }: Step): boolean => path.endsWith('/restore');
/** A search in visible members alone reads documents, which don't tell memberships: joined by `or` it is too costly. */
const joinsMembership = ({ path, body }: Step): boolean =>
  /^(?=.* or ).*(?:groups|members)[.]value/.test(
    String(body?.filter ?? new URLSearchParams(path.split('?')[1]).get('filter')),
  );
const isRead = ({ method, path }: Step): boolean =>
  method === 'GET' || method === 'HEAD' || path.endsWith('.search');

const name = 'limited';

export class Oracle {
  readonly #profile: Profile;
  readonly #makers: readonly ReturnType<typeof makers>[];
  readonly #limited: Side;
  readonly #shown: Side;
  readonly #deleted = new Map<string, Deleted>();

  private constructor(
    profile: Profile,
    all: readonly ReturnType<typeof makers>[],
    limited: Side,
    shown: Side,
  ) {
    [this.#profile, this.#makers, this.#limited, this.#shown] = [profile, all, limited, shown];
  }

  /** @param stores for the whole directory, and for what is shown: empty ones */
  static async start(
    directory: Directory,
    profile: Profile,
    stores: readonly [Store, Store],
  ): Promise<Oracle> {
    const all = [makers(), makers()] as const;
    const [whole, part] = stores;
    await makeEqual(whole, contentOf(directory));
    await makeEqual(part, showAll(profile, contentOf(directory)));
    const begin = (store: Store, made: (typeof all)[0], given = {}) =>
      startService(
        { ...given, basePath: base, made: made.of() },
        store,
        undefined,
        undefined,
        undefined,
        kinds,
      );
    const limited = {
      service: await begin(whole, all[0], { profiles: { [name]: profile } }),
      store: whole,
      as: name,
    };
    return new Oracle(profile, all, limited, { service: await begin(part, all[1]), store: part });
  }

  async close(): Promise<void> {
    await this.#limited.service.close();
    await this.#shown.service.close();
  }

  async check(step: Step): Promise<void> {
    for (const one of this.#makers) one.begin();
    if (isRead(step)) return await this.#checkRead(step);
    const check = () => (isRestoration(step) ? this.#checkRestoration(step) : this.#checkWrite(step));
    await this.#noteDeletions(check);
  }

  /** A write by someone without a profile. */
  async write(step: Step): Promise<void> {
    for (const one of this.#makers) one.begin();
    const side = { ...this.#limited, as: undefined };
    await this.#noteDeletions(async () => void (await sendThere(side, step, await lookThere(side, step))));
    await this.#follow();
  }

  async #noteDeletions(write: () => Promise<void>): Promise<void> {
    const before = await readContent(this.#limited.store);
    await write();
    const after = await readContent(this.#limited.store);
    for (const plural of ['users', 'groups'] as const) {
      for (const id of after[plural].keys()) this.#deleted.delete(id);
      for (const [id, document] of before[plural])
        if (!after[plural].has(id)) this.#deleted.set(id, { document, members: before.members });
    }
  }

  async #follow(): Promise<boolean> {
    return await makeEqual(this.#shown.store, showAll(this.#profile, await readContent(this.#limited.store)));
  }

  #rules(plural: Plural): Rules | undefined {
    return this.#profile[plural];
  }

  #hides({ of, name: member }: Named): boolean {
    const rules = this.#rules(of);
    return rules === undefined || !isVisible(rules, member);
  }

  /** The version of a group doesn't tell which of its members, which SCIM shows, are inside. */
  #hasNoTag({ path, form }: Step): boolean {
    return form === 'scim' && path.includes('/Groups/') && this.#rules('users')?.where !== undefined;
  }

  /** Whether there is any member, or any group: among those outside, too, so that it is not told. */
  #asksForAnyMember({ path, body }: Step): boolean {
    const asked = `${decodeURIComponent(path)} ${String(body?.filter)}`;
    const isAny = /(?:member|group)\.exists=|(?:members|groups)(?:\.value)?[+ ]pr/.test(asked);
    return (
      isAny && this.#rules(/^\/(?:scim\/v2\/)?groups/i.test(path) ? 'users' : 'groups')?.where !== undefined
    );
  }

  /** Answers as they are compared. */
  #told(step: Step, answer: Answer): object {
    const { status, headers, text } = answer;
    const shown = comparable(text, this.#profile, isList(step));
    const isJson = /json/.test(headers.get('content-type') ?? '') && shown !== '';
    const fields = ['content-type', 'location', 'content-location', 'allow', 'preference-applied'];
    return {
      ...{ status, text: isJson ? JSON.parse(closed(shown)) : shown },
      ...Object.fromEntries(fields.map((field) => [field, headers.get(field)])),
      link: (headers.get('link') ?? '').replace(/(after|before)=[^&>]*/g, '$1='),
    };
  }

  async #checkRead(given: Step): Promise<void> {
    const { condition: _, ...bare } = given;
    const step = this.#hasNoTag(given) ? bare : given;
    const seen = await lookThere(this.#limited, step);
    const limited = await sendThere(this.#limited, step, seen);
    const isRefused = step.names.some((named) => this.#hides(named));
    if (isRefused) {
      const isGone = this.#rules(pluralOf(step)) === undefined;
      expect(limited.status, this.#about(step, limited)).to.be.oneOf(
        isGone ? [200, 400, 403, 404] : [400, 403, 404],
      );
      if (limited.status !== 200) return;
    }
    const shown = await sendThere(this.#shown, step, await lookThere(this.#shown, step));
    if (isRefused && shown.status !== 200) return;
    if (limited.status === 403 && this.#asksForAnyMember(step)) return;
    if (limited.text.includes('"scimType":"tooMany"') && joinsMembership(step)) return;
    this.#expectEqual(step, limited, shown);
    if (step.isWalked) await this.#walk(step, limited, shown);
  }

  async #walk(step: Step, limited: Answer, shown: Answer): Promise<void> {
    const nextOf = ({ headers }: Answer) =>
      /<\/declared([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    let [one, other] = [nextOf(limited), nextOf(shown)];
    for (let pages = 0; one !== undefined && other !== undefined && pages < 30; pages += 1) {
      const there = { ...step, path: one };
      const page = await sendThere(this.#limited, there, { tag: '' });
      const expected = await sendThere(this.#shown, { ...step, path: other }, { tag: '' });
      this.#expectEqual(there, page, expected);
      [one, other] = [nextOf(page), nextOf(expected)];
    }
    expect(one === undefined, `${step.path}: the links end alike`).to.equal(other === undefined);
  }

  #about(step: Step, answer: Answer): string {
    return `${JSON.stringify(step)}\n${JSON.stringify(this.#profile)}\n${answer.status} ${answer.text}`;
  }

  #expectEqual(step: Step, limited: Answer, shown: Answer): void {
    const about = `${this.#about(step, limited)}\n${shown.status} ${shown.text}`;
    expect(this.#told(step, limited), about).to.deep.equal(this.#told(step, shown));
  }

  async #checkWrite(step: Step): Promise<void> {
    const plural = pluralOf(step);
    const rules = this.#rules(plural);
    const before = await readContent(this.#limited.store);
    const seen = await lookThere({ ...this.#limited }, step);
    const answer = await sendThere(this.#limited, step, seen);
    const about = this.#about(step, answer);
    const after = await readContent(this.#limited.store);
    const refused = this.#refusalOf(step, seen);
    if (rules === undefined || refused !== undefined) {
      expect(answer.status, about).to.be.oneOf([...(refused ?? [403, 404]), 400]);
      return expectSame(after, before, about);
    }
    const old = await readContent(this.#shown.store);
    const shown = await sendThere(
      this.#shown,
      step,
      await lookThere(this.#shown, step),
      this.#complete(step, seen, old),
    );
    const next = await readContent(this.#shown.store);
    const limits = this.#limitsOf(step, { before, old, next });
    if (shown.status < 400 && limits === undefined && answer.status < 400) {
      this.#expectEqual(step, answer, shown);
      expectSame(after, this.#wholeOf({ before, old, next }), about);
      expect(await this.#follow(), `${about}: what is shown is as it was written`).to.equal(false);
      return;
    }
    expectSame(after, before, about);
    await this.#follow();
    if (answer.status === 409 && shown.status < 400 && (await this.#hasUsedId(step, answer))) return;
    if (answer.status === 409 && shown.status < 400) return expectTaken(step, before, old, about);
    if (shown.status < 400) return void expect(answer.status, about).to.equal(403);
    // Limited writes depend on what is stored, so that mistakes in a body come later.
    const isAbsent = !old[plural].has(idIn(step) ?? '');
    const mayBeOutside = shown.status === 409 && rules.where !== undefined;
    const others = [
      rules.write === '*' && !mayBeOutside ? [] : 403,
      isAbsent ? 404 : [],
      step.condition ? 412 : [],
    ].flat();
    expect(answer.status, about).to.be.oneOf([shown.status, ...others]);
  }

  /** Only one who was deleted inside comes back, with hidden members and visible memberships; others are like one who never was. */
  async #checkRestoration(step: Step): Promise<void> {
    const [plural, id] = [pluralOf(step), idIn(step) ?? ''];
    const rules = this.#rules(plural);
    const gone = this.#deleted.get(id);
    const before = await readContent(this.#limited.store);
    // The log may have deletions of an earlier directory.
    if (gone === undefined && !before[plural].has(id)) return;
    const answer = await sendThere(this.#limited, step, { tag: '' });
    const about = this.#about(step, answer);
    const after = await readContent(this.#limited.store);
    if (!rules?.create || gone === undefined || !isInside(rules, gone.document)) {
      const isThere = isInside(rules, before[plural].get(id) ?? {});
      expect(answer.status, about).to.be.oneOf(rules?.create ? [isThere ? 409 : 404] : [403, 404]);
      return expectSame(after, before, about);
    }
    if (answer.status === 409) {
      const nothing = { users: new Map(), groups: new Map(), members: new Map() };
      expectTaken({ ...step, body: gone.document }, before, nothing, about);
      return expectSame(after, before, about);
    }
    expect(answer.status, about).to.equal(200);
    expectSame(after, this.#restored(plural, gone, before), about);
    await this.#follow();
    await this.#checkRead({ ...step, method: 'GET', path: step.path.replace('/restore', '') });
  }

  #restored(plural: Plural, { document, members }: Deleted, before: Content): Content {
    const id = String(document.id);
    const sees = seesMembers(this.#profile);
    const isThere = (of: Plural, one: string) =>
      isInside(this.#rules(of), before[of].get(one) ?? {}) && before[of].has(one);
    const all = new Map(before.members);
    if (plural === 'groups')
      all.set(id, new Set([...(members.get(id) ?? [])].filter((one) => sees && isThere('users', one))));
    else
      for (const [group, users] of before.members)
        if (sees && members.get(group)?.has(id) && isThere('groups', group))
          all.set(group, new Set([...users, id]));
    return { ...before, [plural]: new Map([...before[plural], [id, document]]), members: all };
  }

  /** Whether its id is that of a deleted resource: a limited client can't have one that was deleted outside. */
  async #hasUsedId({ path, body, isBulk }: Step, { text }: Answer): Promise<boolean> {
    if (!text.includes('The id is taken')) return false;
    const { changes } = this.#limited.store;
    const id = /"id":"([^"]*)"/.exec(JSON.stringify(body ?? {}))?.[1];
    const kind = /groups/i.test(path) ? 'group' : 'user';
    // A Bulk has ids made before it creates, and here they are made again in the same order.
    if (id === undefined) return isBulk === true;
    const newest = changes && (await findNewest(changes, { kind, id }));
    return typeof newest === 'object' && newest.type === `${kind}.deleted`;
  }

  /** The statuses of a request that is refused whatever is stored. */
  #refusalOf(step: Step, seen: Seen): readonly number[] | undefined {
    const rules = this.#rules(pluralOf(step));
    const sent = bodyOf(step, seen);
    const isMembers = step.path.includes('/members');
    const named =
      isMembers || sent === undefined
        ? []
        : namesIn(sent).map((member) => ({ of: pluralOf(step), name: member }));
    const isHidden = ({ of, name: member }: Named): boolean => {
      const own = this.#rules(of);
      return own === undefined || !mayBeNamed(own, member);
    };
    if ([...step.names, ...named].some(isHidden)) return isMembers ? [403, 404, 422] : [403, 404, 412];
    if (step.method === 'POST' && !isMembers && !rules?.create) return [400, 403, 409, 422];
    if (step.method === 'DELETE' && !isMembers && !rules?.delete) return [403, 404, 412];
    return undefined;
  }

  /** The body for the unlimited client: with the stand-in for a hidden name, and with what a PUT keeps. */
  #complete(step: Step, seen: Seen, old: Content): Document | undefined {
    const plural = pluralOf(step);
    const rules = this.#rules(plural);
    const sent = bodyOf(step, seen);
    const document = old[plural].get(idIn(step) ?? '');
    if (step.method !== 'PUT' || sent === undefined || rules === undefined || document === undefined)
      return sent;
    const { id: _, meta: __, ...members } = document;
    // SCIM keeps the service's own extension if a body doesn't mention it.
    const isOwn = (member: string) =>
      step.form === 'scim' && sent.attributes === undefined && member.startsWith('attributes.');
    const kept = only(
      members,
      (member) => isOwn(member) || (!isWritable(rules, member) && valueAt(sent, member) === undefined),
    );
    const unique = uniqueMembers[plural];
    return merge(merge(kept, sent), isVisible(rules, unique) ? {} : { [unique]: document[unique] });
  }

  /** The reason for which a client may not make this change. */
  #limitsOf(step: Step, { before, old, next }: Change): string | undefined {
    const { groups } = this.#profile;
    if (step.path.includes('/members')) {
      return groups && isWritable(groups, 'members')
        ? undefined
        : isEqualMembers(old, next)
          ? undefined
          : 'members';
    }
    const plural = pluralOf(step);
    const rules = this.#rules(plural) as Rules;
    const mayChange = step.method === 'POST' || (groups && isWritable(groups, 'members'));
    if (plural === 'groups' && step.method !== 'DELETE' && !mayChange && !isEqualMembers(old, next))
      return 'members';
    for (const [id, document] of next[plural]) {
      const was = old[plural].get(id);
      if (was === document || isEqual(was, document)) continue;
      if (was !== undefined && changedIn(was, document).some((member) => !isWritable(rules, member)))
        return 'read-only';
      if (!isInside(rules, withShown(plural, rules, before[plural].get(id), document))) return 'outside';
    }
    return undefined;
  }

  /** What becomes of the whole directory. */
  #wholeOf({ before, old, next }: Change): Content {
    const of = (plural: Plural) => {
      const all = new Map(before[plural]);
      for (const id of old[plural].keys()) if (!next[plural].has(id)) all.delete(id);
      for (const [id, document] of next[plural])
        if (!isEqual(old[plural].get(id), document))
          all.set(id, withShown(plural, this.#rules(plural) as Rules, before[plural].get(id), document));
      return all;
    };
    const [users, groups] = [of('users'), of('groups')];
    const members = [...groups.keys()].map((id) => {
      const [was, now] = [old, next].map(({ members }) => members.get(id) ?? new Set<string>()) as [
        Set<string>,
        Set<string>,
      ];
      const kept = [...(before.members.get(id) ?? [])].filter(
        (one) => users.has(one) && (!was.has(one) || now.has(one)),
      );
      return [id, new Set<string>([...kept, ...now])] as const;
    });
    return { users, groups, members: new Map(members) };
  }
}

interface Deleted {
  readonly document: Document;
  /** Those of all groups at that time. */
  readonly members: Content['members'];
}

interface Change {
  /** The whole directory, before. */
  readonly before: Content;
  readonly old: Content;
  readonly next: Content;
}

/** With objects and lists that lack their last member in the text. */
const closed = (text: string): string => text.replace(/,([}\]])/g, '$1');

const namesIn = (body: Document, prefix = ''): readonly string[] =>
  Object.entries(body).flatMap(([member, value]) => {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isPart ? namesIn(value as Document, `${prefix}${member}.`) : [prefix + member];
  });

const contentOfDocument = ({ meta: _, ...document }: Document): Document => document;
const isEqual = (one: Document | undefined, other: Document): boolean =>
  one !== undefined && JSON.stringify(contentOfDocument(one)) === JSON.stringify(contentOfDocument(other));

const isEqualMembers = (one: Content, other: Content): boolean =>
  JSON.stringify(printMembers(one)) === JSON.stringify(printMembers(other));

const printMembers = ({ members }: Content) => [...members].map(([id, all]) => [id, [...all].sort()]).sort();

const changedIn = (one: Document, other: Document): readonly string[] => {
  const names = new Set([one, other].flatMap((document) => leavesOf(contentOfDocument(document))));
  return [...names].filter(
    (member) => JSON.stringify(valueAt(one, member)) !== JSON.stringify(valueAt(other, member)),
  );
};

const print = (content: Content): object => ({
  users: [...content.users.values()].map(contentOfDocument).sort(byId),
  groups: [...content.groups.values()].map(contentOfDocument).sort(byId),
  members: printMembers(content),
});
const byId = (one: Document, other: Document): number => (String(one.id) < String(other.id) ? -1 : 1);

const expectSame = (content: Content, expected: Content, about: string): void =>
  void expect(print(content), about).to.deep.equal(print(expected));

/** A name, an id or a badge that only someone outside has. */
function expectTaken(step: Step, whole: Content, shown: Content, about: string): void {
  const plural = pluralOf(step);
  const sent = JSON.stringify([step.body, step.raw]).toLowerCase();
  const isOf = (document: Document): boolean =>
    ['id', uniqueMembers[plural], 'attributes.badge'].some((member) => {
      const value = JSON.stringify(valueAt(document, member) ?? null).toLowerCase();
      return value !== 'null' && sent.includes(`:${value}`);
    });
  const isHidden = (id: string) => !isEqual(shown[plural].get(id), whole[plural].get(id) as Document);
  const others = [...whole.users, ...whole.groups].filter(
    ([id, document]) => isOf(document) && (isHidden(id) || !shown[plural].has(id)),
  );
  expect(others, about).not.to.have.length(0);
}
