import { describeKilledImports } from './killed-imports.ts';

// A large file has more room for races.
describeKilledImports({ count: process.env.CI ? 100_000 : 5_000, kills: 10, clients: 8 });
