import fc from 'fast-check';
import { runs } from '../support/runs.ts';
import { describeKilledMigrations } from './killed-migrations.ts';

const kills = 30;
/** Some of the thirty rounds, beginning anywhere: at each stage at least one kill. */
const first = fc.sample(fc.nat(kills - 1), 1)[0] ?? 0;
const rounds = Array.from({ length: Math.max(8, runs(kills)) }, (_, at) => (first + at) % kills);

describeKilledMigrations(300, rounds);
