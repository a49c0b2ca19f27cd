import { describeKilledRebuilds } from './killed-rebuilds.ts';

describeKilledRebuilds(2_000, 2);
