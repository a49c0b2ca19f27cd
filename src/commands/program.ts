/**
 * The program: one file for each command. To add a command: its file, and a line here.
 *
 * In: the words of the command line. Out: an exit code. Each command registers its options with a `CommandLine` (`command-line.ts`;
 * `values.ts` parses their values) and an action. `export.ts` and `import.ts` share `file-options.ts` and `run-on-store.ts`; their work is in
 * `files/`. `serve.ts` starts the service, which is in `process/`.
 */
import { setFlagsFromString } from 'node:v8';
import { type Command, CommanderError } from 'commander';
import { codeOf, messageOf } from '../adapters/system/errors.ts';
import { programVersion } from '../adapters/system/program.ts';
import { CommandLine, exitCodes } from './command-line.ts';

interface CommandModule {
  /** Registers the arguments, options, exit codes and action of `command`. */
  register(command: CommandLine): void;
}

/** Imported on demand: their dependencies take longer to load than `--version` and `--help` take. */
const commands: readonly (readonly [name: string, description: string, () => Promise<CommandModule>])[] = [
  ['serve', 'start the server (default)', () => import('./serve.ts')],
  ['check', 'check the configuration and the store; change nothing', () => import('./check.ts')],
  ['probe', 'check whether the running service is ready', () => import('./probe.ts')],
  ['token', 'print a token for a service on this machine, valid for one hour', () => import('./token.ts')],
  ['api-key', 'create, list and revoke API keys', () => import('./api-key.ts')],
  ['webhook', 'list, test and repair webhooks, and make secrets for them', () => import('./webhook.ts')],
  [
    'copy',
    'copy users, groups, memberships and changes from one store to another',
    () => import('./copy.ts'),
  ],
  ['export', 'write users, groups, memberships or changes to a file', () => import('./export.ts')],
  ['import', 'import users, groups, memberships or changes from a file', () => import('./import.ts')],
  ['backup', 'back up the SQLite file; the service may be running', () => import('./backup.ts')],
  [
    'restore',
    'replace the SQLite file with a backup; the service must be stopped',
    async () => ({ register: (await import('./backup.ts')).registerRestore }),
  ],
];

/** Commands that process all resources. */
const bulkCommands: readonly string[] = ['copy', 'export', 'import'];

/**
 * V8 lets a heap double before it collects garbage, and a young generation grow to 96 MiB in each thread. For short-lived rows, growth by a
 * fifth and the initial young generation are enough: this takes half the memory, and a tenth more time.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--semi-space-growth-factor=1');
}

function makeProgram(): CommandLine {
  const program = new CommandLine('user-management')
    .description(
      'A user directory over HTTP, configured by environment variables and files: docs/operate/configure.md.',
    )
    .version(programVersion())
    .exitOverride()
    .describeExitCodes({ [exitCodes.done]: 'done; the help of each command lists its own codes' });
  const registered = new Map<Command, () => Promise<void>>();
  for (const [name, description, load] of commands) {
    const command = program.command(name).description(description);
    registered.set(command, async () => {
      if (bulkCommands.includes(name)) keepHeapSmall();
      (await load()).register(command);
    });
  }
  return program.hook('preSubcommand', (_program, command) => registered.get(command)?.());
}

const isOption = (word = ''): boolean => word.startsWith('-') && word !== '-h' && word !== '--help';

/** Adds the default commands `serve` and `api-key add`. commander's own default commands would take a misspelt command for an argument. */
function addImpliedWords([name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return ['serve'];
  if (isOption(name)) return ['serve', name, ...rest];
  return name === 'api-key' && isOption(rest[0]) ? [name, 'add', ...rest] : [name, ...rest];
}

/**
 * A reader may close the output early, as `head` does: the command continues, and its exit code tells the result. Any other fault of
 * the output, such as a full disk, is a failure.
 */
function surviveReaders(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') return;
    process.stderr.write(`standard output: ${messageOf(error)}\n`);
    process.exitCode = exitCodes.failed;
  });
}

/**
 * Resolves when the command is done, or the service runs. The exit code tells the result; one line on standard error explains a failure.
 * @param given the arguments after the program's name
 */
export async function runProgram(given: readonly string[]): Promise<void> {
  surviveReaders();
  try {
    await makeProgram().parseAsync(addImpliedWords(given), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `--version` end with 0; commander uses 1 for everything else.
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}
