/** dist/docs/forager.1, the manual page, from the table of settings. Macros of man(7). */

import { VERSION } from '../../src/base/core/version.ts';
import { placeholderOf } from '../../src/crawling/settings/kinds.ts';
import { currentOf, flagOf, helpOf, type Setting } from '../../src/crawling/settings/setting.ts';
import { CLI_COMMANDS } from '../../src/faces/cli/cli.ts';
import type { Command } from '../../src/faces/cli/define.ts';

const DESCRIPTION = [
  'Forager is a focused topic crawler. It trains a topic model from example pages, crawls the web best-first toward more pages like them, and writes a corpus.',
  'A switch is turned on by --NAME and off by --no-NAME. Options with several values take every word up to the next option. Words after -- are not options.',
  'A time is 500ms, 1s, 10m, 2h or 1d; a bare number is seconds. A size is 200MB or 1GB.',
];

const GENERAL: readonly (readonly [string, string])[] = [
  ['--config FILE', 'YAML file of options for all commands; the command line has priority.'],
  ['--take-over', 'Take over the lock of a process that has ended, where the system cannot tell that it has.'],
  ['--help', 'Show the options of the command, with examples.'],
  ['--version', 'Show the version.'],
];

const EXIT: readonly (readonly [string, string])[] = [
  ['0', 'Done.'],
  ['1', 'No seed of a crawl gave a page, or a bug of Forager.'],
  ['2', 'Wrong usage or data.'],
  ['3', 'The environment: a full disk, a lock, a missing program.'],
  ['130', 'Interrupted.'],
];

export function manPage(): string {
  const lines = [
    `.\\" Written by npm run build from the table of settings.`,
    `.TH FORAGER 1 "" "Forager ${VERSION}" "User Commands"`,
    '.SH NAME',
    'forager \\- focused topic crawler with a relevance classifier',
    '.SH SYNOPSIS',
    '.B forager',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...DESCRIPTION.flatMap((text, i) => [...(i > 0 ? ['.PP'] : []), escaped(text)]),
    '.SH CLI_COMMANDS',
    ...CLI_COMMANDS.flatMap(commandLines),
    '.SH GENERAL OPTIONS',
    ...GENERAL.flatMap(([name, text]) => item(name, text)),
    '.SH EXIT STATUS',
    ...EXIT.flatMap(([name, text]) => item(name, text)),
    '.SH SEE ALSO',
    'The folder docs of the package has a tutorial, guides and a reference.',
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ usage, summary, settings, positionals, examples }: Command): string[] {
  const rows = Object.entries(currentOf(settings)).flatMap(([name, setting]) => optionLines(name, setting, positionals.includes(name)));
  const shown = examples.flatMap(([line, what]) => [
    '.PP',
    `Example, ${escaped(what)}:`,
    '.PP',
    '.RS',
    '.nf',
    escaped(line.replace('$0', 'forager')),
    '.fi',
    '.RE',
  ]);
  return [`.SS "forager ${escaped(usage)}"`, `${escaped(`${summary[0]?.toUpperCase()}${summary.slice(1)}`)}.`, ...rows, ...shown];
}

function optionLines(name: string, setting: Setting<unknown>, isPositional: boolean): string[] {
  const { kind, byDefault, needed } = setting;
  const value = kind.shape === 'switch' ? '' : ` ${placeholderOf(kind).toUpperCase()}${kind.shape === 'list' ? '...' : ''}`;
  const end = needed ? ' Required.' : byDefault === undefined ? '' : ` Default: ${byDefault}.`;
  return item(isPositional ? name : `--${flagOf(name, setting)}${value}`, `${helpOf(setting)}.${end}`);
}

function item(name: string, text: string): string[] {
  return ['.TP', `.B ${escaped(name)}`, escaped(text)];
}

/** Text as a line of its own: no backslash, quote or leading dot is taken for a macro, and a dash is a dash. */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll('–', '\\(en')
    .replaceAll('…', '...');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
