/**
 * How long one hostile body holds the event loop: reading and judging it, start to end, the longest of a thousand of
 * each kind. `npm run bench:hostile`; fails when one takes longer than the limit.
 */
import fc from 'fast-check';
import { UnreadableError } from '../src/adapters/formats/format.ts';
import { formats } from '../src/adapters/formats/index.ts';
import { DomainError } from '../src/domain/errors.ts';
import { User } from '../src/domain/user.ts';
import { readInput } from '../src/domain/user-input.ts';
import { hostileBodies } from '../test/support/hostile-bodies.ts';

/** In ms. */
const limit = 50;
const count = 1000;
const naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };
const codecs = formats.map((format) => ({ format, codec: format.codec<User>(User, naming) }));

/** In ms. The first few of a kind also pay for compilation. */
function held(type: string, body: Uint8Array): number {
  const [media, charset] = type.split('; charset=');
  const { codec } =
    codecs.find(({ format }) => format.mediaTypes.some((known) => known.type === media)) ?? {};
  const start = performance.now();
  try {
    readInput(codec?.parse(Buffer.from(body), charset).value);
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof UnreadableError)) throw error;
  }
  return performance.now() - start;
}

let worst = 0;
console.log('kind                           median ms   longest ms');
for (const [kind, bodies] of Object.entries(hostileBodies)) {
  const times = fc.sample(bodies, count).map(({ type, body }) => held(type, body));
  times.sort((a, b) => a - b);
  const longest = times.at(-1) ?? 0;
  worst = Math.max(worst, longest);
  const [middle, last] = [times[count / 2] ?? 0, longest].map((ms) => ms.toFixed(2));
  console.log(`${kind.padEnd(30)} ${middle?.padStart(9)} ${last?.padStart(12)}`);
}
if (worst > limit) {
  console.error(`One held the event loop for ${worst.toFixed(1)} ms, more than ${limit}.`);
  process.exitCode = 1;
}
