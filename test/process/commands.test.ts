import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { call } from './called.ts';
import { currentHelp, recordedHelp } from './help-texts.ts';

const { version, scripts, bin } = JSON.parse(readFileSync('package.json', 'utf8'));

const readKey = ['--id', 'legacy', '--scope', 'users:read'];
const anEnd = ['--expires', '2099-01-01T00:00:00Z'];

/** How it is called, what of it is refused and how, and the usage that is told. */
type Mistake = readonly [what: string, command: readonly string[], tells: string, usage: string];

const ofServe: Mistake[] = [
  ['an option without a command', ['--port', '8080'], "unknown option '--port'", 'serve (no options'],
  ['an option with its value', ['--port=4000'], "unknown option '--port';", 'serve (no options'],
  ['an option of serve', ['serve', '--port', '8080'], "unknown option '--port'", 'serve (no options'],
  ['a short option', ['-p', '8080'], "unknown option '-p'", 'serve (no options'],
  [
    'an option before its command',
    ['--scope', 'x', 'token'],
    "unknown option '--scope'",
    'serve (no options',
  ],
  ['a misspelt option', ['--vresion'], "unknown option '--vresion' (Did you mean --version?)", 'serve '],
  ['a word too many', ['serve', 'extra'], "unexpected argument 'extra'", 'serve (no options'],
  ['a word behind the end of options', ['--', 'token'], "unexpected argument 'token'", 'serve (no options'],
];

const ofNone: Mistake[] = [
  ['an unknown command', ['start'], "unknown command 'start'", '[serve|check|probe|'],
  ['a misspelt command', ['srve'], "unknown command 'srve' (Did you mean serve?)", '[serve|check|probe|'],
  ['an empty command', [''], "unknown command ''", '[serve|check|probe|'],
  [
    'a command that would clear the terminal',
    ['\x1b[2J'],
    "unknown command '\\u{1b}[2J'",
    '[serve|check|probe|',
  ],
  ['two commands', ['token', 'backup', '--scope', 'users:read'], "unexpected argument 'backup'", 'token '],
];

const ofTokens: Mistake[] = [
  [
    'an expiry, which cannot be chosen',
    ['token', ...readKey.slice(2), ...anEnd],
    "option '--expires'",
    'token ',
  ],
  [
    'a misspelt option',
    ['token', '--scpoe', 'users:read'],
    '(Did you mean --scope?)',
    'token --scope <scopes>',
  ],
  ['a word too many', ['token', 'users:read'], "unexpected argument 'users:read'", 'token --scope <scopes>'],
  ['no scope', ['token'], "required option '--scope <scopes>' not specified", 'token --scope <scopes>'],
  ['a scope without its value', ['token', '--scope'], "'--scope <scopes>' argument missing", 'token '],
  ['an empty scope', ['token', '--scope', ''], 'Name a scope; scopes are users:read users:write', 'token '],
  ['one valid and one unknown scope', ['token', '--scope', 'users:read,all'], 'all is not a scope', 'token '],
];

const notTimes = [
  '2099',
  'tomorrow',
  '2099-02-30T00:00:00Z',
  '2099-01-01',
  '2099-01-01T00:00:00',
  '2098-12-31T23:59:60Z',
  '1',
  '',
];

const ofKeys = (
  [
    ['an unknown scope', ['--id', 'x', '--scope', 'all'], 'all is not a scope', 'add --id <name>'],
    ['no scope', ['--id', 'x', '--scope', ' '], 'Name a scope; scopes are', 'add --id <name>'],
    ['no id', ['--scope', 'users:read'], "required option '--id <name>' not specified", 'add --id <name>'],
    ['an id that is an option', ['--id', ...readKey.slice(2)], "argument '--scope' is invalid", 'add '],
    [
      'an empty id',
      ['--id', '', '--scope', 'users:read'],
      "argument '' is invalid. The value is empty",
      'add ',
    ],
    [
      'two ids',
      ['--id', 'x', ...readKey],
      "argument 'legacy' is invalid. Give this option only once",
      'add ',
    ],
    [
      'two expiries',
      [...readKey, ...anEnd, '--expires', '2098-01-01T00:00:00Z'],
      'Give this option only once',
      'add ',
    ],
    [
      'a misspelt --expires',
      [...readKey, '--expire', '2099'],
      "'--expire' (Did you mean --expires?)",
      'add ',
    ],
    ['a misspelt --expires=', [...readKey, '--expire=2099'], "'--expire' (Did you mean --expires?)", 'add '],
    [
      'an expiry in the past',
      [...readKey, '--expires', '2020-01-01T00:00:00Z'],
      'This time is in the past',
      'add ',
    ],
    ...notTimes.map(
      (end): Mistake => [
        `an expiry like '${end}'`,
        [...readKey, '--expires', end],
        `argument '${end}' is invalid. Give a date and time with a zone`,
        'add ',
      ],
    ),
    ['a command behind its options', [...readKey, 'list'], "unexpected argument 'list'", 'add '],
    ['an option of another command', ['list', '--id', 'x'], "unknown option '--id'", 'list '],
    ['an unknown command', ['remove', '--id', 'x'], '(Did you mean revoke?)', '[add|list|revoke]'],
    ['a word too many', ['revoke', 'x', '--id', 'x'], "unexpected argument 'x'", 'revoke [--id <name>]'],
    ['nothing to revoke', ['revoke'], 'neither --id nor --key is given', 'revoke [--id <name>]'],
    ['two keys to revoke', ['revoke', '--key', 'a', '--key', 'b'], 'Give this option only once', 'revoke '],
  ] satisfies Mistake[]
).map(([what, given, tells, usage]): Mistake => [what, ['api-key', ...given], tells, `api-key ${usage}`]);

const ofFiles: Mistake[] = [
  ['a word too many', ['check', 'store'], "unexpected argument 'store'", 'check [--changes]'],
  ['an option', ['check', '--fix'], "unknown option '--fix'", 'check [--changes]'],
  ['a time with its unit', ['probe', '--wait', '5s'], 'Give a number of seconds', 'probe [--wait <seconds>]'],
  ['no file', ['backup'], "missing required argument 'file'", 'backup [--verify] <file>'],
  [
    'an empty file',
    ['backup', ''],
    "value '' is invalid for argument 'file'. The value is empty",
    'backup [--verify] <file>',
  ],
  ['two files', ['backup', 'a.db', 'b.db'], "unexpected argument 'b.db'", 'backup [--verify] <file>'],
  [
    'a misspelt option',
    ['backup', '--verfy', 'a.db'],
    '(Did you mean --verify?)',
    'backup [--verify] <file>',
  ],
  [
    'no file to verify',
    ['backup', '--verify'],
    "missing required argument 'file'",
    'backup [--verify] <file>',
  ],
  ['no file', ['restore'], "missing required argument 'backup'", 'restore [--create] <backup>'],
  [
    'an empty file',
    ['restore', ''],
    "value '' is invalid for argument 'backup'",
    'restore [--create] <backup>',
  ],
  ['two files', ['restore', 'a.db', 'b.db'], "unexpected argument 'b.db'", 'restore [--create] <backup>'],
];

const ofCopies = (
  [
    ['no target', ['--from', 'sqlite'], "required option '--to <kind>' not specified"],
    ['an unknown target', ['--from', 'sqlite', '--to', 'oracle'], 'Choose one of sqlite, mongodb, memory'],
    ['one store twice', ['--from', 'sqlite', '--to', 'sqlite'], '--from and --to are both sqlite'],
    ['two sources', ['--from', 'sqlite', '--from', 'memory', '--to', 'sqlite'], 'Give this option only once'],
    ['a misspelt option', ['--form', 'sqlite', '--to', 'memory'], "'--form' (Did you mean --from?)"],
    ['a word too many', ['sqlite', '--from', 'sqlite', '--to', 'memory'], "unexpected argument 'sqlite'"],
  ] as const
).map(
  ([what, given, tells]): Mistake => [
    what,
    ['copy', ...given],
    tells,
    'copy --from <kind> --to <kind> [--again] [--force]',
  ],
);

const ofExports = (
  [
    ['a name without an ending', ['users'], 'give --format, or the file an ending of .jsonl'],
    ['standard output without a format', [], 'give --format'],
    ['an unknown format', ['--format', 'xlsx', 'a.csv'], 'Choose one of jsonl, json, xml, csv'],
    [
      'columns for a format without columns',
      ['--columns', 'id', 'a.jsonl'],
      '--columns goes with --format csv',
    ],
    ['an unknown column', ['--columns', 'id,nose', 'a.csv'], 'there is no column "nose"'],
    ['no columns', ['--columns', '', 'a.csv'], 'The value is empty'],
    [
      'an unknown parameter of the list',
      ['--where', 'rool=x', 'a.csv'],
      '"rool" is not a parameter of this list. The parameters are userName,',
    ],
    [
      'a parameter that is given twice',
      ['--where', 'role=x', '--where', 'role=y', 'a.csv'],
      'role occurs more than once',
    ],
    ['an unknown order', ['--where', 'sort=shoe', 'a.csv'], 'sort must be one of id, userName'],
    [
      'a parameter for pages',
      ['--where', 'search=a&limit=10', 'a.csv'],
      'limit, after, before and total are for pages',
    ],
    ['two files', ['a.csv', 'b.csv'], "unexpected argument 'b.csv'"],
    ['an unknown kind', ['--kind', 'roles', 'a.csv'], 'Choose one of users, groups, memberships'],
    [
      'a parameter of users for groups',
      ['--kind', 'groups', '--where', 'role=x', 'a.csv'],
      '"role" is not a parameter of this list',
    ],
    ['--by with users', ['--by', 'name', 'a.csv'], '--by goes with --kind memberships'],
  ] as const
).map(([what, given, tells]): Mistake => [what, ['export', ...given], tells, 'export [--format <name>]']);

const ofImports = (
  [
    ['no file', [], "missing required argument 'file'"],
    ['a name without an ending', ['users.txt'], 'give --format, or the file an ending of .jsonl'],
    ['an unknown mode', ['--mode', 'merge', 'a.csv'], 'Choose one of create, upsert, update'],
    [
      'an unknown member for --match',
      ['--match', 'email', 'a.csv'],
      'Choose one of id, userName, externalId',
    ],
    ['an unknown encoding', ['--encoding', 'ebcdic', 'a.csv'], 'Choose one of utf-8'],
    ['--empty with a format without cells', ['--empty', 'remove', 'a.xml'], '--empty goes with --format csv'],
    ['rejects in another format', ['--rejects', 'r.json', 'a.csv'], '--rejects is written as csv'],
    [
      'a member of users as --match for groups',
      ['--kind', 'groups', '--match', 'userName', 'a.csv'],
      'one of id, displayName',
    ],
    [
      'a mode for memberships',
      ['--kind', 'memberships', '--mode', 'upsert', 'a.csv'],
      '--mode goes with --kind users or groups',
    ],
    ['0 as the limit of rejects', ['--max-rejects', '0', 'a.csv'], 'Give a whole number, 1 or more'],
  ] as const
).map(([what, given, tells]): Mistake => [what, ['import', ...given], tells, 'import [--format <name>]']);

describe('The program user-management', () => {
  afterEach(discardProcesses);

  it('prints the recorded help: commands, options and exit codes', async () => {
    expect(await currentHelp()).to.equal(recordedHelp());
  });

  for (const command of [['--version'], ['-V'], ['backup', '--version']])
    it(`prints its version for ${command.join(' ')}`, async () => {
      const { code, log, told } = await run(command, aDataFolder());
      expect([code, log, told]).to.deep.equal([0, [version], []]);
    });

  it('is called by npm start and the other scripts with existing commands', async () => {
    const called = Object.values<string>(scripts).flatMap((script) =>
      script.startsWith(`node ${bin['user-management']}`) ? [script.split(' ').slice(2)] : [],
    );
    expect(called).to.have.length(11);
    for (const command of called) expect((await call([...command, '--help'])).code).to.equal(0);
  });

  const groups = [ofServe, ofNone, ofTokens, ofKeys, ofFiles, ofCopies, ofExports, ofImports];
  /** One line with the mistake and the usage. */
  function expectRefusal(told: string, [, , tells, usage]: Mistake): void {
    expect(told.trimEnd().split('\n')).to.have.length(1);
    expect(told)
      .to.match(/^error: /)
      .and.to.contain(tells);
    expect(told).to.contain(`; usage: user-management ${usage}`);
  }

  for (const mistake of groups.flat()) {
    const [what, command] = mistake;
    it(`refuses ${what}, as in '${command.join(' ')}', in one line that says what is valid`, async () => {
      const { code, log, told } = await call(command);
      expect([code, log]).to.deep.equal([64, '']);
      expectRefusal(told, mistake);
    });
  }

  for (const mistake of groups.flatMap((group) => group.slice(-1))) {
    const [what, command] = mistake;
    it(`changes nothing when it refuses ${what}, as in '${command.join(' ')}'`, async () => {
      const folder = aDataFolder();
      const { code, log, told } = await call(command, folder);
      expect([code, log]).to.deep.equal([64, '']);
      expectRefusal(told, mistake);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }

  it('lists the commands for API keys when none is named', async () => {
    const { code, log, told } = await run(['api-key'], aDataFolder());
    expect([code, log]).to.deep.equal([64, []]);
    expect(told[0]).to.equal('Usage: user-management api-key [add|list|revoke] [options]');
  });
});
