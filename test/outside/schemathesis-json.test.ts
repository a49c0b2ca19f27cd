import { describeSchemathesis } from './schemathesis.ts';

describeSchemathesis('json');
