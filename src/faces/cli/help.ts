/** The text of `--help`: the commands, or one command with its options by groups. Laid out here, since yargs takes a tenth of a second for it. */

import { foragerCommand, programName } from '../../base/text/forager-command.ts';
import { sentence } from '../../base/text/sentence.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { placeholderOf } from '../../crawling/settings/kinds.ts';
import { currentOf, flagOf, type Setting } from '../../crawling/settings/setting.ts';
import { atDashes, type Command } from './define.ts';

const WIDEST = 110;
/** The text of a longer name goes below it. */
const WIDEST_NAME = 30;
const INDENT = 2;

const SWITCHES = 'A switch is turned on by --NAME and off by --no-NAME. Words after -- are not options.';
const closing = () => [
  SWITCHES,
  'Exit codes: 0 done; 1 no seed of a crawl gave a page, or a bug of Forager; 2 wrong usage or data; 3 environment; 130 interrupted.',
  `${foragerCommand(new Blank('command'), '--help')} shows the options of a command. ${foragerCommand('config', new Blank('command'))} shows the value of each option and its source.`,
];

/** Does the line ask for help? */
export function asksFor(words: readonly string[], ...names: readonly string[]): boolean {
  return atDashes(words).before.some((word) => names.includes(word));
}

/** Commands by task: those of a first evening come first. */
export const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['A first evening', ['init', 'open', 'train', 'crawl', 'status', 'label', 'harvest']],
  ['Labels', ['label audit', 'label decide', 'label import', 'label export', 'label none-of', 'label judge', 'label train', 'label undo']],
  ['Questions to a crawl', ['why', 'ledger', 'topics', 'versions', 'diff', 'seeds', 'known', 'watch', 'verify']],
  ['Pages and corpora', ['search', 'corpus', 'corpus withdraw', 'pairs', 'rights', 'extract', 'links', 'hunt', 'judge']],
  ['Comparing strategies', ['freeze', 'eval', 'link-model', 'stability']],
  ['Several machines', ['gather', 'workers']],
  ['Repairs', ['repair', 'compact']],
  ['Who you are', ['sign-key']],
  ['The command line', ['completion', 'config']],
];

function rowsOf(name: string, commands: readonly Pick<Command, 'usage' | 'summary'>[]): Row[] {
  return commands.filter(({ usage }) => commandNameIn(usage) === name).map(({ usage, summary }) => [`${programName()} ${usage}`, summary]);
}

/** @param columns of the terminal */
export function generalHelp(commands: readonly Pick<Command, 'usage' | 'summary'>[], columns: number): string {
  return page(columns, [
    [`${programName()} <command>`],
    ['Forager is a focused topic crawler: train a topic from example pages, crawl toward more pages like them, harvest a corpus.'],
    ...GROUPS.map(([title, names]) => [`${title}:`, names.flatMap((name) => rowsOf(name, commands))] as const),
    ['Options:', GENERAL],
    closing(),
  ]);
}

/** @param parts commands whose name begins with that of this one */
export function commandHelp(command: Command, columns: number, parts: readonly Command[] = []): string {
  const { usage, summary, positionals, examples } = command;
  const settings = currentOf(command.settings);
  const named = (names: readonly string[]) => names.flatMap((name) => rowOf(name, settings[name], positionals.includes(name)));
  const grouped = command.groups.flatMap(([, names]) => names);
  const rest = Object.keys(settings).filter((name) => !positionals.includes(name) && !grouped.includes(name));
  const shown = examples.map(([line, what]) => [line.replace('$0', programName()), what] as const);
  return page(columns, [
    [`${programName()} ${usage} [options]`],
    [sentence(summary)],
    ...(positionals.length > 0 ? [['Arguments:', named(positionals)] as const] : []),
    ...command.groups.map(([title, names]) => [`${title}:`, named(names)] as const),
    ...(rest.length > 0 ? [[`${command.groups.length > 0 ? 'Other options' : 'Options'}:`, named(rest)] as const] : []),
    ['General options:', GENERAL],
    ...(parts.length > 0 ? [['Further commands:', parts.flatMap(({ name }) => rowsOf(name, parts))] as const] : []),
    ['Examples:', shown.flatMap(([line, what]) => [[line, what]] as const), 'below'],
    [SWITCHES],
  ]);
}

/** The one or two words of a command in its usage. */
export function commandNameIn(usage: string): string {
  return usage.replace(/ [<[].*$/, '');
}

type Row = readonly [name: string, text: string];
type Section = readonly [title: string, rows: readonly Row[], where?: 'below'] | readonly string[];

const GENERAL: readonly Row[] = [
  ['--config <file>', 'YAML file of options for all commands; the command line has priority'],
  ['--take-over', 'take over the lock of a process that has ended, where the system cannot tell that it has'],
  ['--help', 'show this text'],
  ['--version', 'show the version'],
];

function rowOf(name: string, setting: Setting<unknown> | undefined, isPositional: boolean): Row[] {
  if (setting === undefined) return [];
  const { kind, help, byDefault, needed } = setting;
  const dots = kind.shape === 'list' ? '..' : '';
  const flag = flagOf(name, setting);
  const written = isPositional ? `${name}${dots}` : kind.shape === 'switch' ? `--${flag}` : `--${flag} <${placeholderOf(kind)}>${dots}`;
  const end = needed && !isPositional ? ' [required]' : byDefault === undefined ? '' : ` [default: ${byDefault}]`;
  return [[written, `${help}${end}`]];
}

function page(columns: number, sections: readonly Section[]): string {
  const width = Math.max(40, Math.min(WIDEST, columns));
  return `${sections.map((section) => textOf(section, width)).join('\n\n')}\n`;
}

function textOf(section: Section, width: number): string {
  const [title, rows, where] = section;
  if (typeof rows !== 'object') return section.flatMap((line) => wrapped(String(line), width)).join('\n');
  const names = rows.map(([name]) => name.length).filter((length) => length <= WIDEST_NAME);
  const column = where === 'below' ? 0 : Math.max(0, ...names) + 2 * INDENT;
  return [title, ...rows.flatMap((row) => rowLines(row, column, width))].join('\n');
}

/** @param column where the text starts; 0 for its own line, below the name */
function rowLines([name, text]: Row, column: number, width: number): string[] {
  const at = column === 0 ? 2 * INDENT : column;
  const lines = wrapped(text, width - at).map((line) => `${' '.repeat(at)}${line}`);
  const head = `${' '.repeat(INDENT)}${name}`;
  if (column === 0 || head.length + INDENT > column) return [head, ...lines];
  return [head.padEnd(column) + (lines[0] ?? '').trimStart(), ...lines.slice(1)];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
