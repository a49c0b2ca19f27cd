import { describeMoving } from './moving.ts';

describeMoving(500);
