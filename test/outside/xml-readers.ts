/** What two readers of XML say of the same bytes: xmllint, and ours. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../src/adapters/formats/text/positions.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { naming } from '../contract/format.ts';
import { outputOf } from './tools.ts';

/** Why a reader refused a document; undefined where it accepted it. */
type Verdict = string | undefined;

const codec = xml.codec<User>(User, naming);

/** As a client's body is read. @throws whatever isn't a refusal: that would be a 500 */
function ours(bytes: Buffer): Verdict {
  try {
    runToEnd(codec.read(bytes));
    return undefined;
  } catch (error) {
    if (error instanceof UnreadableError) return error.message;
    throw error;
  }
}

/** xmllint names the file on each line; other output than errors (warnings, the line itself, a caret) is dropped. */
const complaint = /^(\d+)\.xml:\d+: (?:parser|namespace|encoding|I\/O|validity|error)[^:]*error ?: (.*)$/;

/** That a namespace's name is a URI is no constraint (Namespaces in XML 1.0 §3), though xmllint calls it an error. */
const notAnError = /^xmlns.* is not a valid URI$/;

/** Its verdict on each, all in one process; nothing is fetched, and no DTD outside a document is read. */
export async function xmllint(documents: readonly Buffer[]): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'users-xmllint-'));
  try {
    const files = documents.map((_, index) => join(folder, `${index}.xml`));
    for (const [index, file] of files.entries()) writeFileSync(file, documents[index] ?? '');
    const { out, err } = await outputOf('xmllint', ['--noout', '--nonet', ...files]);
    const verdicts: Verdict[] = documents.map(() => undefined);
    for (const line of `${out}\n${err}`.split('\n')) {
      const [, index, what] = complaint.exec(line.replace(`${folder}/`, '')) ?? [];
      if (index !== undefined && !notAnError.test(what ?? '')) verdicts[Number(index)] ??= what;
    }
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Refusals that are ours to make of what is well-formed. Of duplicate attributes xmllint lets pass those whose namespaces differ
 * by spaces around them alone; of instructions we refuse some that are well-formed along with those that look alike and aren't;
 * of versions it takes `1.` for one.
 */
const reasons =
  /DOCTYPE|nesting is deeper|more than \d|encoding|only XML 1\.0|namespace|prefix|xmlns|duplicate attribute|disallowed character|instruction|version number/;

interface Difference {
  readonly index: number;
  readonly xmllint: Verdict;
  readonly ours: Verdict;
}

/** Documents that only one of the two accepts, except for our own stricter rules. */
export async function differences(documents: readonly Buffer[]): Promise<Difference[]> {
  const verdicts = await xmllint(documents);
  return documents.flatMap((document, index) => {
    const theirs = verdicts[index];
    const mine = ours(document);
    const agree = (theirs === undefined) === (mine === undefined);
    const allowed = theirs === undefined && mine !== undefined && reasons.test(mine);
    return agree || allowed ? [] : [{ index, xmllint: theirs, ours: mine }];
  });
}
