import { describeKilledBuilding } from './killed-building.ts';

describeKilledBuilding(1_000, 2);
