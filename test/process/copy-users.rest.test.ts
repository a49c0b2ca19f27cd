import { describeMoving } from './moving.ts';

describeMoving(process.env.CI ? 100_000 : 5_000);
