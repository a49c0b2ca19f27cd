import { printNumber } from '../../language.ts';

/** How far the receivers of webhooks are. */
export const webhooks = {
  title: 'Webhooks',
  upToDate: 'Up to date',
  behind: (count: number) => `${printNumber(count)} ${count === 1 ? 'entry' : 'entries'} behind`,
  notBegun: 'Not begun',
  disabled: 'Disabled: the receiver answered 410',
  gap: 'Gap to be told',
  lastAttempt: 'Last attempt:',
  answered: (status: string) => `answered ${status}`,
  tooLate: 'no answer in time',
  unreachable: (code: string) => `no answer (${code})`,
  setAside: (count: number) =>
    count === 0
      ? 'No change set aside'
      : `${printNumber(count)} ${count === 1 ? 'change' : 'changes'} set aside`,
  toEnable: 'When the receiver is back, an operator of the service runs this command:',
  toReplay: 'To send them again, an operator of the service runs this command:',
  limited: 'Your access profile hides how far the receivers are.',
  none: 'There are no receivers',
  noneText:
    'An operator of the service names them in a file (setting USERS_WEBHOOKS_FILE), with a URL and a secret for each:',
};
