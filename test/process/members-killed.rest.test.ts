import { describeKilledMembers } from './killed-members.ts';

describeKilledMembers(4, 2500);
