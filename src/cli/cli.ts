import yargs, { type Argv } from 'yargs';
import { VERSION } from '../app/version.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { withoutDash } from './command.ts';
import { compactCommand } from './commands/compact.ts';
import { crawlCommand } from './commands/crawl.ts';
import { evalCommand } from './commands/eval.ts';
import { extractCommand } from './commands/extract.ts';
import { freezeCommand } from './commands/freeze.ts';
import { harvestCommand } from './commands/harvest.ts';
import { judgeCommand } from './commands/judge.ts';
import { labelCommand } from './commands/label.ts';
import { ledgerCommand } from './commands/ledger.ts';
import { linkModelCommand } from './commands/link-model.ts';
import { repairCommand } from './commands/repair.ts';
import { seedsCommand } from './commands/seeds.ts';
import { statusCommand } from './commands/status.ts';
import { trainCommand } from './commands/train.ts';
import { verifyCommand } from './commands/verify.ts';
import { whyCommand } from './commands/why.ts';
import { type Vocabulary, withSuggestion } from './suggest.ts';

const COMMANDS = [
  trainCommand,
  crawlCommand,
  statusCommand,
  ledgerCommand,
  whyCommand,
  labelCommand,
  harvestCommand,
  seedsCommand,
  extractCommand,
  judgeCommand,
  verifyCommand,
  compactCommand,
  repairCommand,
  freezeCommand,
  linkModelCommand,
  evalCommand,
];

/**
 * Run one command line. @returns the exit code.
 * @throws CrawlerError, whose `exitCode` says how to end.
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  const argv = withoutDash(words);
  let exitCode = 0;
  const parser = yargs(argv)
    .scriptName('forager')
    .usage('$0 <command>\n\nA focused topic crawler: train a topic from example pages, crawl toward more like them, harvest a corpus.')
    .version(VERSION)
    .help()
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .strict()
    .demandCommand(1, 'name a command')
    .parserConfiguration({ 'boolean-negation': false, 'parse-numbers': false, 'duplicate-arguments-array': true })
    .exitProcess(false)
    .epilogue(
      'Exit codes: 0 done; 1 no seed of a crawl gave a page, or a bug of Forager; 2 usage or data; 3 environment;\n130 interrupted.\nforager <command> --help shows the options of a command and an example.',
    )
    .fail((message, error) => {
      if (error && error.name !== 'YError') throw error;
      const commands = COMMANDS.map(({ name }) => name);
      throw new UsageError(withSuggestion(message || messageOf(error), { argv, commands, ...optionsOf(parser) }));
    });
  for (const command of COMMANDS) {
    parser.command(command.name, command.summary, command.options, async (args) => {
      exitCode = await command.run(args);
    });
  }
  await parser.parseAsync();
  return exitCode;
}

/** Names of the options a parser knows, as written after the dashes. */
function optionsOf(parser: Argv): Pick<Vocabulary, 'options' | 'greedy'> {
  const { key, array } = (
    parser as unknown as { getOptions(): { readonly key: Readonly<Record<string, unknown>>; readonly array: readonly string[] } }
  ).getOptions();
  const options = Object.keys(key).filter((name) => !/[A-Z]/.test(name));
  return { options, greedy: options.filter((name) => array.includes(name)) };
}
