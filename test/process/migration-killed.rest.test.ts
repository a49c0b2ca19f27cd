import { describeKilledMigrations } from './killed-migrations.ts';

describeKilledMigrations(300, 30);
