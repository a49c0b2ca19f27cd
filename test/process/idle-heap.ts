/** A program of its own, since V8's flags are those of the process: prints the sizes of its young generation under load, after an idle time, and under load again. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitYoungGeneration, youngSize } from '../../src/process/young-generation.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: (how: object) => void = runInNewContext('gc');

const objectsAtOnce = 1000;
const objectsKept = 30_000;

/** Makes objects of which many survive their first collection, as under a load of writes. */
async function work(): Promise<void> {
  let kept: object[] = [];
  for (let turns = 0; turns < 3000; turns += 1) {
    for (let index = 0; index < objectsAtOnce; index += 1) kept.push({ index, in: [turns] });
    if (kept.length > objectsKept) kept = [];
    await turn();
  }
}

limitYoungGeneration();
await work();
const before = youngSize();
// As V8 does when it is idle.
collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
await turn();
const idle = youngSize();
await work();
console.log(JSON.stringify({ before, idle, after: youngSize() }));
