import type { Outcome } from '../api/client.ts';
import { listResources } from '../api/directory.ts';
import type { Resource, User } from '../schema/kinds.ts';

/** Names in one request, whose URL stays below the 8 KB that gateways take. */
const most = 50;

/** The user names and addresses in a list, one a line, or separated as mail programs do: `Ada <ada@example.org>; bob`. */
export const readList = (text: string): readonly string[] => [
  ...new Set(
    text.split(/[\s,;]*[\n\t,;]\s*/).flatMap((part) => /<(.+)>/.exec(part)?.[1] ?? (part.trim() || [])),
  ),
];

const isOf = (name: string) => {
  const folded = name.toLowerCase();
  return ({ userName, emails = [] }: User): boolean =>
    [userName, ...emails.map(({ value }) => value)].some((one) => one.toLowerCase() === folded);
};

/** Finds users by user name, and the others by email address. @returns those found, and the names of no user; or the failure */
export async function findListed(
  names: readonly string[],
): Promise<Outcome<{ readonly found: readonly Resource[]; readonly lost: readonly string[] }>> {
  const { signal } = new AbortController();
  const found: User[] = [];
  let lost = names;
  for (const filter of ['userName.in', 'email.in'] as const) {
    for (let at = 0; at < lost.length; at += most) {
      const query = { [filter]: lost.slice(at, at + most), limit: 1000 };
      const outcome = await listResources({ kind: 'user', query }, signal);
      if (!outcome.ok) return outcome;
      found.push(...(outcome.value.resources as readonly User[]));
    }
    lost = lost.filter((name) => !found.some(isOf(name)));
  }
  return { ok: true, value: { found, lost } };
}
