import { UsageError } from '../../../base/core/errors.ts';
import { foragerCommand, programName } from '../../../base/text/forager-command.ts';
import { COMMANDS } from '../../../crawling/settings/commands.ts';
import { currentOf, flagOf } from '../../../crawling/settings/setting.ts';
import { writtenOption } from '../../../crawling/settings/stored-options.ts';
import type { CommandLine } from '../cli.ts';
import { print } from '../command.ts';
import type { Command, Given } from '../define.ts';

const help = () => `${programName()} config <command> [options]

Print the value of each option of a command and its source: the command line, the file of --config, the existing crawl, or
the default. Nothing is run.

Options:
  --schema  print the JSON Schema of a file for --config, for editors

Examples:
  ${programName()} config crawl crawls/moss --config forager.yaml --max-pages 500
  ${programName()} config --schema > forager.schema.json`;

/** @param line the command line to show; null if `words` are for `forager config` itself. @throws UsageError */
export async function describeConfig(line: CommandLine | null, words: readonly string[]): Promise<number> {
  if (line === null) return ofItself(words);
  const { command, given } = line;
  const kept = await keptBy(command, given);
  const rows = Object.entries(currentOf(command.settings)).map(([name, setting]) => {
    const said = given.find((one) => one.name === name);
    const flag = flagOf(name, setting);
    if (said) return [flag, said.written.map(harmlessUrl).join(' '), said.from ?? 'command line'] as const;
    if (kept !== null && setting.keep && name in kept) return [flag, writtenOption(setting, kept[name]), 'the crawl'] as const;
    return [flag, setting.byDefault ?? '', 'default'] as const;
  });
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [flag, value, from] of rows) print(`${flag.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${from}`);
  return 0;
}

async function ofItself(line: readonly string[]): Promise<number> {
  if (line.includes('--schema')) {
    const { configSchema } = await import('../../../crawling/settings/config-file.ts');
    print(JSON.stringify(configSchema(), null, 2));
    return 0;
  }
  if (line.length === 0 || line.includes('--help')) {
    print(help());
    return 0;
  }
  throw new UsageError(
    `config ${line[0]}: no such command; there are ${Object.keys(COMMANDS).join(', ')}; see ${foragerCommand('config', '--help')}`,
  );
}

/** The stored settings of an existing crawl; null if there is none. @throws DataError if they are damaged */
async function keptBy({ name }: Command, given: readonly Given[]): Promise<Readonly<Record<string, unknown>> | null> {
  const dir = given.find((one) => one.name === 'dir')?.words[0];
  const isReplaced = given.some((one) => one.name === 'force' && one.words[0] !== 'false');
  if (name !== 'crawl' || dir === undefined || isReplaced) return null;
  const { findCrawl } = await import('../../../crawling/crawl-dir/crawl-directory.ts');
  return findCrawl(dir);
}

/** Hides passwords of URLs. */
function harmlessUrl(word: string): string {
  return word.replace(/(\/\/[^/@:\s]*):[^/@\s]*@/g, '$1:***@');
}
