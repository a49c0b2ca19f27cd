import { describeKills } from './killed-service.ts';

describeKills(20, 64);
