import { isWhole } from '../support/runs.ts';
import { describeMoving } from './moving.ts';

describeMoving(isWhole ? 20_000 : 5_000);
