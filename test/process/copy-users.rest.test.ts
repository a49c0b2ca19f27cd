import { describeMoving } from './moving.ts';

describeMoving(process.env.CI ? 20_000 : 5_000);
