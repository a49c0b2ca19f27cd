import { describeSchemathesis } from './schemathesis.ts';

describeSchemathesis('xml');
