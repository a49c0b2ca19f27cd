import { describeKilledRebuilds } from './killed-rebuilds.ts';

describeKilledRebuilds(10_000, 5);
