import { describeKilledImports } from './killed-imports.ts';

describeKilledImports({ count: 2_000, kills: 2, clients: 2 });
