/** The commands that the pages for operators print, and the program's own help about them. */
import { readdirSync, readFileSync } from 'node:fs';

export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

export const read = (page: string): string => readFileSync(page, 'utf8');

/** The contents of all blocks of a language. */
export const blocksIn = (page: string, language: string): string[] =>
  [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

/** Those in running text, too. */
export const codeIn = (page: string): string[] => [
  ...blocksIn(page, 'sh').flatMap((block) => block.split('\n')),
  ...blocksIn(page, 'crontab').flatMap((block) => block.split('\n')),
  ...[...read(page).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code),
];

/** By command, such as `api-key add`: its options. */
export function optionsByCommand(): ReadonlyMap<string, readonly string[]> {
  const sections = readFileSync('test/process/recorded/help.txt', 'utf8').split(/^\$ user-management ?/m);
  return new Map(
    sections.slice(1).map((section) => {
      const [line = ''] = section.split('\n', 1);
      const options = [...section.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option);
      return [line.replace(/ ?--help$/, ''), options];
    }),
  );
}

/** A call of the program: the command, and the options behind it. */
interface Call {
  readonly text: string;
  readonly command: string;
  readonly options: readonly string[];
}

/** Scripts of package.json that are called otherwise than their commands. */
const scripts: Readonly<Record<string, string>> = { 'copy-users': 'copy' };

/** The calls in a piece of code: of the program, or by npm in a checkout. */
export function callsIn(code: string, commands: ReadonlyMap<string, unknown>): Call[] {
  const calls = code.matchAll(/(?:\buser-management|\bnpm run(?: --silent)?) ([a-z-][^|;&>)]*)/g);
  return [...calls].flatMap(([text, rest = '']) => {
    const words = rest.split(/\s+/).filter((word) => word !== '--');
    const [first = '', second = ''] = words;
    const name = scripts[first] ?? first;
    const isOwn = text.startsWith('user-management') || commands.has(name);
    // Else it is a unit's name, or an option of the program itself.
    if (!isOwn || !/^[a-z][a-z-]*$/.test(name)) return [];
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/[=`"].*/, ''));
    if (name !== 'api-key') return { text, command: name, options };
    // `add` may be left out.
    const below = commands.has(`${name} ${second}`) ? second : 'add';
    return { text, command: `${name} ${below}`, options };
  });
}
