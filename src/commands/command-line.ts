/** Shared by the commands: refusals of command lines, reports of failures, and exit codes. */
import { Command, CommanderError, Option, type ParseOptionsResult } from 'commander';
import { messageOf } from '../adapters/system/errors.ts';
import { toPrintable } from '../process/output/progress.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  /** Some users were left out. */
  someLeft: 2,
  /** EX_USAGE of sysexits.h. */
  usage: 64,
} as const;

/** A required option. commander would report its own required options as missing instead of naming a misspelt option. */
export class NeededOption extends Option {}

/** Names every option, unlike commander's own usage; each refusal ends with it too. */
function usageOf(command: Command): string {
  const path = [command.name()];
  for (let { parent } = command; parent; { parent } = parent) path.unshift(parent.name());
  const names = command.commands.map((one) => one.name());
  if (names.length > 0) return [...path, `[${names.join('|')}]`, '[options]'].join(' ');
  const takes = [
    ...command.options.map((one) => (one instanceof NeededOption ? one.flags : `[${one.flags}]`)),
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ];
  if (takes.length === 0) takes.push('(no options: settings are environment variables and files)');
  return [...path, ...takes].join(' ');
}

/** A command whose refusals are one line each: the mistake, the nearest correct name, and the usage. */
export class CommandLine extends Command {
  constructor(name?: string) {
    super(name);
    this.configureHelp({ commandUsage: usageOf }).helpCommand(false);
    // Excess arguments are refused by name in #check: commander only counts them.
    this.allowExcessArguments().hook('preAction', (_self, called) => {
      if (called === this) this.#check();
    });
  }

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name);
  }

  /** Removes the values of unknown options: the nearest correct name is found more easily, and no value is shown. */
  override parseOptions(given: string[]): ParseOptionsResult {
    const { operands, unknown } = super.parseOptions(given);
    const names = unknown.map((option) => option.replace(/^(--[^=]+)=.*/s, '$1'));
    return { operands, unknown: this.commands.length === 0 ? names : unknown };
  }

  override error(message: string): never {
    return super.error(
      `${toPrintable(message.replaceAll('\n', ' ')).replace(/\.$/, '')}; usage: ${usageOf(this)}`,
    );
  }

  #check(): void {
    const word = this.args[this.registeredArguments.length];
    if (word !== undefined) this.error(`error: unexpected argument '${word}'`);
    for (const option of this.options)
      if (option instanceof NeededOption && this.getOptionValue(option.attributeName()) === undefined)
        this.error(`error: required option '${option.flags}' not specified`);
  }

  /** Adds the exit codes to the help. @param meanings by code, without that of a wrong command line */
  describeExitCodes(meanings: Readonly<Record<number, string>>): this {
    const all = { ...meanings, [exitCodes.usage]: 'invalid command line; nothing was done' };
    const lines = Object.entries(all).map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`);
    return this.addHelpText('after', ['\nExit codes:', ...lines].join('\n'));
  }
}

/**
 * An action that prints the lines of `run`. Failures go to standard error, with exit code 1.
 * @param failure precedes the reason, such as `No token`
 */
export const printLines =
  <Given extends unknown[]>(failure: string, run: (...given: Given) => Promise<readonly string[]>) =>
  async (...given: Given): Promise<void> => {
    try {
      for (const line of await run(...given)) process.stdout.write(`${line}\n`);
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      process.stderr.write(`${failure}: ${toPrintable(messageOf(error))}\n`);
      process.exitCode = exitCodes.failed;
    }
  };
