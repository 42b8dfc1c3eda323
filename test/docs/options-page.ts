/** docs/reference/options.md and dist/docs/forager.schema.json, from the table of settings. */

import { OUTPUT_FORMATS } from '../../src/corpus/formats/output-formats.ts';
import { COMMANDS } from '../../src/crawling/settings/commands.ts';
import { configSchema } from '../../src/crawling/settings/config-file.ts';
import { currentOf, flagOf, helpOf, type Setting, type Settings } from '../../src/crawling/settings/setting.ts';
import { TEXT_METHODS } from '../../src/reading/extract/text-methods.ts';
import { LINK_STRATEGIES } from '../../src/reading/links/strategies.ts';
import { TRAINING_METHODS } from '../../src/reading/topic/training-methods.ts';

const HEAD = `# Options

Every option of every command. \`npm run docs\` writes this page from \`src/crawling/settings/\`; a test holds it equal.

- **Kept**: a crawl stores the option, and later runs use it. With \`yes\` a later run may give another value, with \`fixed\` it may not.
- A **time** is a number with its unit: \`500ms\`, \`20s\`, \`10m\`, \`2h\`, \`30d\`. Without a unit it is seconds. A **size** is \`500MB\` or \`1GB\`.
- A switch is turned on by \`--name\` or \`--name on\`, and off by \`--no-name\` or \`--name off\`.
- Each option may also be in a [configuration file](configuration.md), under the same name without dashes. Every command accepts \`--config FILE\`. On the command line, every command also accepts [\`--take-over\`](../guides/resuming.md#one-process-a-directory). \`forager config COMMAND\` prints the value and the origin of each option.
- The [library](library.md) takes the same options under the names in the second column. There, times are milliseconds and no limit is \`Infinity\`.
`;

/** Options whose values are names, each with its list. */
const NAMED = [
  ['--strategy', 'the order of the frontier', LINK_STRATEGIES],
  ['--format', 'the files of a harvest', OUTPUT_FORMATS],
  ['--extractor', 'the method that finds main text', TEXT_METHODS],
  ['--method', 'the method that learns a topic', TRAINING_METHODS],
] as const;

function namesOf([flag, what, list]: (typeof NAMED)[number]): string {
  const rows = list.map(({ name, help }) => `| \`${name}\` | ${help} |\n`).join('');
  return `\n## Values of ${flag}: ${what}\n\n| value | meaning |\n| --- | --- |\n${rows}`;
}

export function optionsPage(): string {
  const sections = Object.entries(COMMANDS).map(
    ([name, settings]) => `\n## forager ${name}\n\n${tableOf(currentOf(settings), name === 'crawl')}`,
  );
  return HEAD + sections.join('') + NAMED.map(namesOf).join('');
}

/** Only a crawl keeps anything. */
function tableOf(settings: Settings, isKept: boolean): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const cells = [
      `\`${flagOf(name, setting)}\``,
      `\`${name}\``,
      typeOf(setting),
      helpOf(setting),
      defaultOf(setting),
      ...(isKept ? [keptOf(setting)] : []),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  const heads = ['option', 'library', 'value', 'meaning', 'default', ...(isKept ? ['kept'] : [])];
  return `| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}\n${rows.join('')}`;
}

function typeOf({ kind }: Setting<unknown>): string {
  if (kind.shape === 'switch') return 'switch';
  const one = kind.measure ?? 'text';
  return kind.shape === 'list' ? `${one}, repeated` : one;
}

function defaultOf({ byDefault, needed, kind }: Setting<unknown>): string {
  return needed ? 'required' : (byDefault ?? (kind.shape === 'switch' ? 'off' : ''));
}

function keptOf({ keep }: Setting<unknown>): string {
  return keep === undefined ? '' : keep.how === 'fixed' ? 'fixed' : 'yes';
}

export function schemaFile(): string {
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}
