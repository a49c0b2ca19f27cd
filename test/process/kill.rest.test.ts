import { runs } from '../support/runs.ts';
import { describeKills } from './killed-service.ts';

describeKills(runs(20), 64);
