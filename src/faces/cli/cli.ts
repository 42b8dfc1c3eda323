import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { EXIT, inWords, messageOf, UsageError } from '../../base/core/errors.ts';
import { VERSION } from '../../base/core/version.ts';
import { PURGED } from '../../base/disk/own-names.ts';
import { takeOverLocks } from '../../base/disk/take-over.ts';
import { hasFormerCrawl } from '../../base/disk/whose.ts';
import { onConversion } from '../../base/text/conversion-notice.ts';
import { foragerCommand, programName, showAs } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';
import type { ConfigFile } from '../../crawling/settings/config-file.ts';
import { idleOptions, idleText, withoutIdle } from '../../crawling/settings/idle-options.ts';
import { flagOf } from '../../crawling/settings/setting.ts';
import { PROJECT_FILE } from '../app/project-file.ts';
import { warn } from './command.ts';
import { compactCommand } from './commands/compact.ts';
import { completionCommand } from './commands/completion.ts';
import { describeConfig } from './commands/config.ts';
import { corpusCommand, corpusWithdrawCommand, pairsCommand } from './commands/corpus.ts';
import { crawlCommand } from './commands/crawl.ts';
import { diffCommand } from './commands/diff.ts';
import { evalCommand } from './commands/eval.ts';
import { extractCommand } from './commands/extract.ts';
import { freezeCommand } from './commands/freeze.ts';
import { gatherCommand } from './commands/gather.ts';
import { harvestCommand } from './commands/harvest.ts';
import { huntCommand } from './commands/hunt.ts';
import { initCommand } from './commands/init.ts';
import { judgeCommand } from './commands/judge.ts';
import { knownCommand } from './commands/known.ts';
import { labelAuditCommand, labelCommand } from './commands/label.ts';
import { labelExportCommand, labelImportCommand, labelNoneOfCommand } from './commands/label-answers.ts';
import { labelDecideCommand } from './commands/label-decide.ts';
import { labelJudgeCommand } from './commands/label-judge.ts';
import { labelTrainCommand, labelUndoCommand } from './commands/label-train.ts';
import { ledgerCommand } from './commands/ledger.ts';
import { linkModelCommand } from './commands/link-model.ts';
import { linksCommand } from './commands/links.ts';
import { openCommand } from './commands/open.ts';
import { repairCommand } from './commands/repair.ts';
import { rightsCommand } from './commands/rights.ts';
import { searchCommand } from './commands/search.ts';
import { seedsCommand } from './commands/seeds.ts';
import { signKeyCommand } from './commands/sign-key.ts';
import { stabilityCommand } from './commands/stability.ts';
import { statusCommand } from './commands/status.ts';
import { topicsCommand } from './commands/topics.ts';
import { trainCommand } from './commands/train.ts';
import { verifyCommand } from './commands/verify.ts';
import { versionsCommand } from './commands/versions.ts';
import { watchCommand } from './commands/watch.ts';
import { whyCommand } from './commands/why.ts';
import { workersCommand } from './commands/workers.ts';
import {
  type Args,
  atDashes,
  type Command,
  type Given,
  givenOf,
  lacks,
  missingError,
  missingOf,
  narrowed,
  optionValues,
  placesIn,
  readBy,
  TAKE_OVER,
  withOptions,
  withPlain,
  wordsForYargs,
} from './define.ts';
import { inCurrentForm } from './former-command.ts';
import { asksFor, commandHelp, generalHelp } from './help.ts';
import { withNewNames } from './old-names.ts';
import { type Vocabulary, withSuggestion } from './suggest.ts';
import { endWorking, showWorking } from './working.ts';

export const CLI_COMMANDS: readonly Command[] = [
  initCommand,
  openCommand,
  trainCommand,
  crawlCommand,
  statusCommand,
  labelCommand,
  labelAuditCommand,
  labelDecideCommand,
  labelImportCommand,
  labelExportCommand,
  labelNoneOfCommand,
  labelJudgeCommand,
  labelTrainCommand,
  labelUndoCommand,
  knownCommand,
  harvestCommand,
  watchCommand,
  whyCommand,
  ledgerCommand,
  topicsCommand,
  versionsCommand,
  diffCommand,
  seedsCommand,
  verifyCommand,
  searchCommand,
  corpusCommand,
  corpusWithdrawCommand,
  pairsCommand,
  rightsCommand,
  extractCommand,
  linksCommand,
  huntCommand,
  judgeCommand,
  freezeCommand,
  evalCommand,
  linkModelCommand,
  stabilityCommand,
  signKeyCommand,
  gatherCommand,
  workersCommand,
  repairCommand,
  compactCommand,
  completionCommand(() => CLI_COMMANDS),
];
const CONFIG = 'config';
const HELP = ['--help', '-h'];

/** A parsed command line. */
export interface CommandLine {
  readonly command: Command;
  readonly given: readonly Given[];
  /** Values by the names of the library. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The exit code of a command line that ended with an error: some commands have one code for all of them. @param code that of the error */
export function exitCodeOfError(words: readonly string[], code: number): number {
  return commandNamed(words)?.errorCode ?? code;
}

/**
 * Run one command line. @returns the exit code.
 * @throws CrawlerError, its `exitCode` is the exit code of the process.
 */
export function runCommand(words: readonly string[]): Promise<number> {
  return inWords(() => commandOf(words));
}

async function commandOf(words: readonly string[]): Promise<number> {
  // The words after `forager config` are a command line to show, not to run.
  if (words[0] === CONFIG) return showConfig(words.slice(1));
  const line = await readCommandLine(words);
  if (line === null) return 0;
  const missing = missingOf(line.command, line.values);
  if (missing.length > 0) throw missingError(missing, line.command.name);
  const kept = await keptFor(line);
  refuseIdleOptions(line, kept);
  const given = withoutIdle(line.command.settings, line.values, kept);
  for (const dir of [given['dir'], given['corpus'], given['corpora']].flat()) await endForce(dir);
  if (given['log'] !== '-') showWorking(line.command.name, given['dir']);
  onConversion(warn);
  try {
    return await runWith(line.command, given);
  } finally {
    endWorking();
  }
}

/** Runs a command, on a gathered copy if it reads a crawl of several machines. */
async function runWith(command: Command, given: Record<string, unknown>): Promise<number> {
  if (given['at'] === undefined || OF_DATABASE.has(firstWord(command.name))) return command.run(given);
  const { dir, at, ...values } = given;
  const { exitOf, gatherShown } = await import('./runs/gather.ts');
  const report = await gatherShown(String(dir), String(at));
  if (report === null) return EXIT.interrupted;
  return (await command.run({ dir, ...values })) || exitOf(report);
}

/** A file may have options for several calls: these get a warning and are ignored, and those of the command line are an error. @throws UsageError */
function refuseIdleOptions({ command, given, values }: CommandLine, kept: object): void {
  for (const idle of idleOptions(command.settings, values, kept)) {
    const from = given.find(({ name }) => name === idle.name)?.from ?? null;
    if (from === null) throw new UsageError(idleText(idle));
    warn(`${from}: ${idleText(idle)}`);
  }
}

/** The settings of the crawl that is resumed, if an option lacks the other one that it needs: the crawl may have that. */
async function keptFor({ command, values }: CommandLine): Promise<object> {
  if (command.name !== 'crawl' || idleOptions(command.settings, values).length === 0) return {};
  const { resumedSettings } = await import('../../crawling/crawl-dir/crawl-directory.ts');
  return resumedSettings(values) ?? {};
}

/** A killed `crawl --force` may have left the former crawl aside, and a killed purge its last step. */
async function endForce(dir: unknown): Promise<void> {
  if (typeof dir === 'string' && existsSync(join(dir, PURGED)))
    await (await import('../../crawling/crawl-dir/purged-crawl.ts')).settlePurge(dir);
  if (typeof dir !== 'string' || !hasFormerCrawl(dir)) return;
  const { settleFormerCrawl } = await import('../../crawling/crawl-dir/former-crawl.ts');
  await settleFormerCrawl(dir);
}

/** Commands with a meaning of their own for `--at`. All others read the crawl of a database in the directory where it is gathered first. */
const OF_DATABASE: ReadonlySet<string> = new Set(['crawl', 'gather', 'workers', 'open', 'repair', 'label']);

async function showConfig(words: readonly string[]): Promise<number> {
  const line = commandNamed(words) !== undefined && !asksFor(words, ...HELP) ? await readCommandLine(words) : null;
  return describeConfig(line, words);
}

/** @returns null if --help or --version was answered. @throws UsageError, DataError */
export async function readCommandLine(words: readonly string[]): Promise<CommandLine | null> {
  const command = commandNamed(words);
  const answer = answerTo(words, command && narrowed(command, words[1]));
  if (answer !== null) {
    process.stdout.write(answer);
    return null;
  }
  const argv = command
    ? wordsForYargs(command, withNewNames(withKey(command, words), command.oldNames, warn))
    : words.filter((word) => !HELP.includes(word));
  const { before, after } = atDashes(argv);
  const given = await configOf(before);
  const mayLack = command !== undefined && given === null && existsSync(PROJECT_FILE);
  // The file, or the words after `--`, supply positionals that the line lacks.
  const parsedArgs = await parsed(before, command && (after.length > 0 || mayLack || placesIn(command, given)) ? command : null);
  if (parsedArgs === null) return null;
  if (!command)
    throw new UsageError(
      `write the command first: ${foragerCommand(CLI_COMMANDS.find(({ name }) => words.includes(name))?.name ?? new Blank('command'))} …`,
    );
  const args = withPlain(command, parsedArgs, after);
  if (args[TAKE_OVER] === true) takeOverLocks();
  const config = mayLack && lacks(command, args) ? await fileThatPlaces(command) : given;
  const called = inCurrentForm(
    { command, given: givenOf(command, args, config) },
    { commands: CLI_COMMANDS, file: config?.path ?? null, warn },
  );
  const action = called.given.find(({ name }) => name === 'action')?.words[0];
  const own = narrowed(called.command, action);
  const options = readBy(own, action ?? null, called.given);
  const values = optionValues(own, options);
  await showNextAs(options.some(({ name, from }) => from !== null && command.positionals.includes(name)) ? config : null);
  return { command: own, given: options, values };
}

/** Only for the list of commands: it is answered before the parser. */
const CONFIG_ROW = { usage: `${CONFIG} <command>`, summary: 'show the value of each option of a command, and its source' };

/** The text that --help and --version print; null without them. An unknown command gets an error with its name instead of help. */
function answerTo(words: readonly string[], command: Command | undefined): string | null {
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  if (asksFor(words, ...HELP)) {
    if (command) return commandHelp(command, columns, partsOf(command));
    if (words[0]?.startsWith('-')) return generalHelp([...CLI_COMMANDS, CONFIG_ROW], columns);
  }
  return asksFor(words, '--version') ? `${VERSION}\n` : null;
}

/** The file of `--config`; null without one. Its parser is loaded only if there is one. @throws UsageError, DataError */
async function configOf(argv: readonly string[]): Promise<ConfigFile | null> {
  const paths = argv.flatMap((word, i) =>
    word === '--config' ? [argv[i + 1] ?? ''] : word.startsWith('--config=') ? [word.slice('--config='.length)] : [],
  );
  const [path] = paths;
  if (path === undefined) return null;
  if (path === '' || path.startsWith('--')) throw new UsageError('--config: its value is missing; give a YAML file');
  if (paths.length > 1) throw new UsageError('--config: given more than once');
  return fileOfOptions(path);
}

async function fileOfOptions(path: string): Promise<ConfigFile> {
  const { ConfigFile } = await import('../../crawling/settings/config-file.ts');
  return new ConfigFile(path, process.env);
}

/** The file of a project in this folder, if it has the missing positional. */
async function fileThatPlaces(command: Command): Promise<ConfigFile | null> {
  const file = await fileOfOptions(PROJECT_FILE);
  return placesIn(command, file) ? file : null;
}

/** Commands that are printed read the file too. @param config null for a line that names its crawl itself */
async function showNextAs(config: ConfigFile | null): Promise<void> {
  showAs(programName(), config && (await import('./shown-config.ts')).shownConfig(config));
}

/** The command whose name the words begin with: of `label` and `label audit` the longer one. */
function commandNamed(words: readonly string[]): Command | undefined {
  const named = (count: number) => CLI_COMMANDS.find(({ name }) => name === words.slice(0, count).join(' '));
  return named(2) ?? named(1);
}

/** Commands of two words that begin with the name of this one. */
function partsOf({ name }: Command): Command[] {
  return CLI_COMMANDS.filter((one) => one.name.startsWith(`${name} `));
}

function firstWord(name: string): string {
  return name.split(' ')[0] ?? '';
}

/** The name as the parser has it: it reads the second word of a name as an argument. */
function keyOf(name: string): string {
  return name.replace(' ', ':');
}

function withKey({ name }: Command, words: readonly string[]): string[] {
  return [keyOf(name), ...words.slice(name.split(' ').length)];
}

/** @returns null if no command was named */
async function parsed(argv: readonly string[], mayLack: Command | null): Promise<Args | null> {
  // Loaded here, since --help does not need it: loading takes 50 ms.
  const { default: yargs } = await import('yargs');
  let found: Args | null = null;
  const parser = yargs([...argv])
    .scriptName('forager')
    .help(false)
    .version(false)
    .strict()
    .demandCommand(1, 'name a command')
    .parserConfiguration({ 'boolean-negation': false, 'parse-numbers': false, 'duplicate-arguments-array': true })
    .exitProcess(false)
    .fail((message, error) => {
      if (error && error.name !== 'YError') throw error;
      throw new UsageError(withSuggestion(message || messageOf(error), vocabularyOf(argv, parser)));
    });
  for (const command of CLI_COMMANDS) {
    const usage = command.usage.replace(command.name, keyOf(command.name));
    parser.command(
      command === mayLack ? usage.replaceAll('<', '[').replaceAll('>', ']') : usage,
      command.summary,
      (builder) => withOptions(builder, command),
      (args) => {
        found = args;
      },
    );
  }
  parser.command(CONFIG_ROW.usage, CONFIG_ROW.summary, () => undefined);
  await parser.parseAsync();
  return found;
}

function vocabularyOf(argv: readonly string[], parser: Argv): Vocabulary {
  const [key = '', ...words] = argv;
  const command = CLI_COMMANDS.find(({ name }) => keyOf(name) === key);
  const { options, ...rest } = optionsOf(parser);
  const former = Object.entries(command?.settings ?? {}).flatMap(([name, setting]) =>
    setting.former === undefined || setting.former.ifOn ? [] : [flagOf(name, setting)],
  );
  return {
    argv: [command?.name ?? key, ...words],
    commands: CLI_COMMANDS.map(({ usage }) => usage),
    options: options.filter((name) => !former.includes(name)),
    ...rest,
  };
}

interface ParserOptions {
  readonly key: Readonly<Record<string, unknown>>;
  readonly array: readonly string[];
  readonly boolean: readonly string[];
}

/** Names of the options that a parser knows, as written after the dashes. */
function optionsOf(parser: Argv): Pick<Vocabulary, 'options' | 'greedy'> {
  const { key, array, boolean } = (parser as unknown as { getOptions(): ParserOptions }).getOptions();
  const named = Object.keys(key).filter((name) => !/[A-Z]/.test(name));
  const options = [...named, ...named.filter((name) => boolean.includes(name)).map((name) => `no-${name}`)];
  return { options, greedy: options.filter((name) => array.includes(name)) };
}
