import { describeKilledBuilding } from './killed-building.ts';

describeKilledBuilding(20_000, 8);
