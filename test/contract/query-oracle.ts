/** The plain meaning of a query, after the words of queries.md: a filter and a sort over all users. Shares only folding with src. */

import type { User } from '../../src/domain/kinds/user/user.ts';
import { fold, isUnspaced, isWordCharacter } from '../../src/domain/unicode/folding.ts';

/** Nested conditions. */
export type PlainTree =
  | { readonly all: readonly PlainTree[] }
  | { readonly any: readonly PlainTree[] }
  | { readonly not: PlainTree }
  | { readonly exists: string }
  | { readonly search: string }
  | { readonly filter: string; readonly key: string }
  | { readonly sort: string; readonly from?: string | undefined; readonly to?: string | undefined }
  | { readonly id: string };

interface PlainQuery {
  readonly filters: Readonly<Record<string, string>>;
  /** As typed. */
  readonly search: string;
  /** Must match as well as the filters and the search. */
  readonly tree?: PlainTree | undefined;
  readonly by?: string | undefined;
  readonly descending: boolean;
}

/** Vowels and final consonants within a syllable of Hangul. */
const continuesSyllable = (point: number): boolean =>
  /[\u1160-\u11ff\ud7b0-\ud7fb]/u.test(String.fromCodePoint(point));

const splitRuns = (text: string): string[] => fold(text).split(/\s/u).filter(Boolean);

const typedWithTwo = [
  [/ä/giu, 'ae'],
  [/[öø]/giu, 'oe'],
  [/ü/giu, 'ue'],
  [/å/giu, 'aa'],
  [/đ/giu, 'dj'],
] as const;

const isLetter = (character: string | undefined): boolean => isWordCharacter(character?.codePointAt(0) ?? 0);

/** A run, and the run without apostrophes within words; also without hyphens and middle dots, if it has no digit and is no address. */
function withoutJoints(run: string): string[] {
  const characters = [...run];
  const isInner = (at: number) => isLetter(characters[at - 1]) && isLetter(characters[at + 1]);
  const isJoint = (one: string) => one === "'" || ((one === '-' || one === '·') && !/[\d@]/.test(run));
  return [run, characters.filter((one, at) => !isJoint(one) || !isInner(at)).join('')];
}

/** The runs of a text, and of the text with two letters for an umlaut. */
function twoSpellings(text: string): string[] {
  const inAscii = typedWithTwo.reduce(
    (all, [letter, two]) => all.replace(letter, two),
    text.normalize('NFC'),
  );
  return [text, inAscii].flatMap(splitRuns);
}

const spellingsOf = (text: string): string[] => twoSpellings(text).flatMap(withoutJoints);

/** A text whose runs all begin in a script without spaces is also found as one run. */
function joinedRun(text: string): string[] {
  const runs = splitRuns(text);
  return runs.length > 1 && runs.every((run) => isUnspaced(run.codePointAt(0) ?? 0)) ? [runs.join('')] : [];
}

const textsOf = ({
  userName,
  displayName,
  nickName,
  name = {},
  emails = [],
  ims = [],
  externalId,
  title,
  enterprise: { employeeNumber, organization, division, department } = {},
}: User): string[] =>
  [
    userName,
    displayName,
    nickName,
    ...Object.values(name),
    ...[...emails, ...ims].map(({ value }) => value),
    externalId,
    title,
    ...[employeeNumber, organization, division, department],
  ].filter((text) => text !== undefined);

/** The rest of each run, from each beginning of a word. */
function tailsOf(run: string): string[] {
  const characters = [...run];
  const is = (kind: (point: number) => boolean, at: number): boolean => {
    const point = characters[at]?.codePointAt(0);
    return point !== undefined && kind(point);
  };
  const begins = (at: number): boolean => {
    if (at === 0) return true;
    if (is(isUnspaced, at)) return !is(continuesSyllable, at);
    const goesOn = is(isWordCharacter, at - 1) && !is(isUnspaced, at - 1);
    return is(isWordCharacter, at) && !goesOn;
  };
  return characters.flatMap((_, at) => (begins(at) ? [characters.slice(at).join('')] : []));
}

const digits = (text: string): string => text.replace(/\D/g, '');
/** The number without the prefix for calls from abroad. */
const dialled = (text: string): string => digits(text.replace(/[^\d+]/g, '').replace(/^(\+|00)/, ''));

/** A zero that is not dialled from abroad may be missing. */
const isPhoneFoundBy = (phone: string, term: string): boolean =>
  [term, term.replace(/^(\+?[1-9]\d{0,2})\(0\)/, '$1')].some((one) => isNumberFoundBy(phone, one));

function isNumberFoundBy(phone: string, term: string): boolean {
  if (!/^\+?[\d().\-/]+$/.test(term)) return false;
  const number = dialled(fold(phone));
  const beginning = dialled(term);
  const ends = [digits(term), digits(term).replace(/^0(?!0|$)/, '')];
  const isEnd = ends.some((end) => end.length >= 4 && number.endsWith(end));
  return (beginning !== '' && number.startsWith(beginning)) || isEnd;
}

const isAround = (one: string): boolean =>
  /[\p{P}\p{Cf}<>]/u.test(one) && !/[\p{Pd}\p{Pc}#%&'/\\]/u.test(one);

/** A term as typed, and without the punctuation around it, except an @ at its end. */
function asPasted(term: string): string[] {
  const characters = [...term];
  const first = characters.findIndex((one) => !isAround(one));
  let end = characters.findLastIndex((one) => !isAround(one)) + 1;
  if (first === -1) return [term];
  while (characters[end] === '@') end += 1;
  return [term, characters.slice(first, end).join('')];
}

function isFoundBy(user: User, term: string): boolean {
  const tails = textsOf(user)
    .flatMap((text) => [...spellingsOf(text), ...joinedRun(text)])
    .flatMap(tailsOf);
  return twoSpellings(term)
    .flatMap(asPasted)
    .some((typed) => tails.some((tail) => tail.startsWith(typed)) || hasPhone(user, typed));
}

const hasPhone = (user: User, term: string): boolean =>
  (user.phoneNumbers ?? []).some(({ value }) => isPhoneFoundBy(value, term));

const filterValues = (user: User): Record<string, readonly string[]> => ({
  externalId: user.externalId === undefined ? [] : [user.externalId],
  active: [String(user.active)],
  manager: user.enterprise?.manager?.value === undefined ? [] : [user.enterprise.manager.value.toLowerCase()],
  role: user.roles ?? [],
});

const hasKey = (user: User, filter: string, key: string): boolean =>
  filterValues(user)[filter]?.includes(key) === true;

/**
 * A comma, a semicolon or a < ends a term, except in front of other punctuation. Single quotes around words don't belong to a term, nor does the scheme
 * of a link.
 */
function isFoundByAll(user: User, search: string): boolean {
  const terms = search
    .replace(/(?<!\S)['‘‚](.*?)['’‘](?!\S)/gu, '$1')
    .split(/[,;]*(?:\s|$)|[,;<]+(?=\w|[^\0-\x7f])/u)
    .filter(Boolean)
    .map((term) => term.replace(/^(?:mailto|smtp|tel|callto|sips?):(?=.)/i, ''));
  const isEach = terms.every((term) => splitRuns(term).length === 0 || isFoundBy(user, term));
  return isEach || (terms.length > 1 && asPasted(terms.join('')).some((one) => hasPhone(user, one)));
}

const isWithin = (key: Buffer | undefined, from = '', to?: string): boolean =>
  key !== undefined &&
  key.compare(Buffer.from(from)) >= 0 &&
  (to === undefined || key.compare(Buffer.from(to)) < 0);

function isIn(user: User, tree: PlainTree): boolean {
  if ('all' in tree) return tree.all.every((one) => isIn(user, one));
  if ('any' in tree) return tree.any.some((one) => isIn(user, one));
  if ('not' in tree) return !isIn(user, tree.not);
  if ('exists' in tree) return (filterValues(user)[tree.exists] ?? []).length > 0;
  if ('search' in tree) return isFoundByAll(user, tree.search);
  if ('sort' in tree) return isWithin(keyOf(user, tree.sort), tree.from, tree.to);
  return 'id' in tree ? user.id === tree.id : hasKey(user, tree.filter, tree.key);
}

const matches = (user: User, { filters, search, tree }: PlainQuery): boolean =>
  Object.entries(filters).every(([filter, key]) => hasKey(user, filter, key)) &&
  isFoundByAll(user, search) &&
  (tree === undefined || isIn(user, tree));

/** An order compares only the beginning of a long text. */
const keyLength = 128;

function keyOf(user: User, by: string | undefined): Buffer | undefined {
  const values: Record<string, string | undefined> = {
    userName: user.userName,
    displayName: user.displayName,
    familyName: user.name?.familyName,
    title: user.title,
    department: user.enterprise?.department,
    validFrom: user.validFrom,
    validUntil: user.validUntil,
    nextAt: nextAtOf(user),
    ...user.meta,
  };
  const folded = [...fold((by === undefined ? undefined : values[by]) ?? '')].slice(0, keyLength).join('');
  return folded === '' ? undefined : Buffer.from(folded);
}

/** An active user ends; an inactive one begins if nothing was written since. */
function nextAtOf({ active, validFrom = '', validUntil, meta }: User): string | undefined {
  if (active) return validUntil;
  return validFrom > meta.lastModified ? validFrom : undefined;
}

/** All matching users, in order. */
export function answer(users: Iterable<User>, query: PlainQuery): User[] {
  const found = [...users].filter((user) => matches(user, query));
  const keyed = found.map((user) => ({ user, id: Buffer.from(user.id), key: keyOf(user, query.by) }));
  const sorted = (those: typeof keyed): User[] => {
    const none = Buffer.alloc(0);
    those.sort((a, b) => Buffer.compare(a.key ?? none, b.key ?? none) || Buffer.compare(a.id, b.id));
    return (query.descending ? those.reverse() : those).map(({ user }) => user);
  };
  return [
    ...sorted(keyed.filter(({ key }) => key !== undefined)),
    ...sorted(keyed.filter(({ key }) => key === undefined)),
  ];
}
