/** The parser's errors about a wrong command line, worded so that the next try is right. */

import { nearest } from '../../base/text/nearest.ts';

/** The words that a command line could have. */
export interface Vocabulary {
  /** The words given, from the command on. */
  readonly argv: readonly string[];
  /** Names of options, without dashes. */
  readonly options: readonly string[];
  /** Options that take every word up to the next option. */
  readonly greedy: readonly string[];
  /** Commands with their positionals, e.g. `why <dir> <url>`. */
  readonly commands: readonly string[];
}

/** The error of yargs in one line that names the word, the nearest known name and the help to read. */
export function withSuggestion(message: string, vocabulary: Vocabulary): string {
  const usage = vocabulary.commands.find((name) => wordOf(name) === vocabulary.argv[0]);
  const help = usage ? `see forager ${wordOf(usage)} --help` : 'see forager --help';
  return `${rephrased(message, vocabulary, usage)}; ${help}`;
}

function rephrased(message: string, { argv, options, greedy, commands }: Vocabulary, usage: string | undefined): string {
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)$/s.exec(message) ?? [];
  if (unknown !== undefined) return unknownName(unknown.split(', ')[0] ?? '', argv, options, commands);
  const [, valueless] = /^Not enough arguments following: (.+)$/s.exec(message) ?? [];
  if (valueless !== undefined) return `--${kebab(valueless)}: its value is missing`;
  if (message.startsWith('Not enough non-option arguments') && usage) return tooFew(argv, greedy, usage);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

/** The missing positional may be on the line, but after an option that took it for one of its values. */
function tooFew(argv: readonly string[], greedy: readonly string[], usage: string): string {
  const dashed = argv.find((word) => /^-[^-]/.test(word));
  if (dashed !== undefined)
    return `too few arguments; if "${dashed}" is one of them, write it last, after --: forager ${wordOf(usage)} … -- "${dashed}"`;
  const taker = greedy.find((name) => valuesAfter(argv, name) > 1);
  const command = wordOf(usage);
  const positionals = usage.slice(command.length + 1);
  if (taker === undefined) return `too few arguments; write: forager ${usage}`;
  return `${positionals} is missing: --${taker} takes every word up to the next option; write forager ${command} ${positionals} --${taker} …`;
}

/** Words between an option and the next. */
function valuesAfter(argv: readonly string[], name: string): number {
  const at = argv.indexOf(`--${name}`);
  if (at < 0) return 0;
  const next = argv.findIndex((word, i) => i > at && word.startsWith('-') && word !== '-');
  return (next < 0 ? argv.length : next) - at - 1;
}

/** yargs calls a wrong command an unknown argument if it appears where an argument is expected. */
function unknownName(name: string, argv: readonly string[], options: readonly string[], commands: readonly string[]): string {
  if (name === argv[0]) return `unknown command "${name}"${meant(nearest(name, commands.map(wordOf)), '')}`;
  if (argv.includes(name)) return `unexpected argument "${name}"${meant(nearestOfTwo(argv, commands), 'forager ')}`;
  const option = kebab(name);
  return `unknown option --${option}${meant(nearest(option, options), '--')}`;
}

/** A command of two words that the first two of the line nearly are. */
function nearestOfTwo([first = '', second = '']: readonly string[], commands: readonly string[]): string | null {
  const whole = commands.map(wordOf).filter((one) => one.startsWith(`${first} `));
  return nearest(`${first} ${second}`, whole);
}

function meant(name: string | null, dashes: string): string {
  return name === null ? '' : `; did you mean ${dashes}${name}?`;
}

/** The one or two words of the command. */
function wordOf(usage: string): string {
  return usage.replace(/ [<[].*$/, '');
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
