import { describeKilledImports } from './killed-imports.ts';

describeKilledImports({ count: 1_000, kills: 2, clients: 2 });
