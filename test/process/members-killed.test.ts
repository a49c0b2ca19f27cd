import { describeKilledMembers } from './killed-members.ts';

describeKilledMembers(1, 300);
