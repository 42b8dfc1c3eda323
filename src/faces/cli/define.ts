/** Makes a command of the command line from its row of settings: its options for yargs, and its values from words. */

import type { Argv, Options } from 'yargs';
import { UsageError } from '../../base/core/errors.ts';
import { grouped } from '../../base/core/grouped.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { COMMANDS, type CommandName } from '../../crawling/settings/commands.ts';
import type { ConfigFile } from '../../crawling/settings/config-file.ts';
import { flagOf, type OptionsOf, type Setting, type Settings, settingsOf, withoutSecrets } from '../../crawling/settings/setting.ts';
import type { OldName } from './old-names.ts';

/** One command of the CLI. */
export interface Command {
  readonly name: CommandName;
  /** The name with its positionals in the notation of yargs: `crawl <dir>`. */
  readonly usage: string;
  readonly positionals: readonly string[];
  readonly summary: string;
  readonly settings: Settings;
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Options by groups of the help, the most used first. Those of none come last. */
  readonly groups: readonly (readonly [title: string, names: readonly string[]])[];
  readonly oldNames: readonly OldName[];
  /** Exit code of each error. Absent: that of the error. */
  readonly errorCode?: number;
  /** @returns the exit code */
  run(values: Readonly<Record<string, unknown>>): Promise<number>;
}

/** The options of a command: the settings that were given. */
export type CommandOptions<N extends CommandName> = OptionsOf<(typeof COMMANDS)[N]>;

interface Spec<N extends CommandName> {
  readonly name: N;
  /** Settings without dashes, in order. */
  readonly positionals: readonly (keyof (typeof COMMANDS)[N] & string)[];
  readonly summary: string;
  readonly examples: readonly (readonly [command: string, what: string])[];
  readonly groups?: readonly (readonly [title: string, names: readonly (keyof (typeof COMMANDS)[N] & string)[]])[];
  /** Exit code of each error. Default: that of the error. */
  readonly errorCode?: number;
  /** Names that an earlier version had. */
  readonly oldNames?: readonly OldName[];
  readonly run: (options: CommandOptions<N>) => Promise<number>;
}

export function command<const N extends CommandName>({ oldNames = [], groups = [], run, ...spec }: Spec<N>): Command {
  const settings: Settings = COMMANDS[spec.name];
  const usage = [spec.name, ...spec.positionals.map((name) => positionalText(name, settings[name]))].join(' ');
  const actions = grouped(Object.keys(settings), (name) => settings[name]?.action ?? '');
  const byAction = [...actions].flatMap(([action, names]) => (action === '' ? [] : [[`Options of ${action}`, names] as const]));
  return { ...spec, usage, settings, groups: [...groups, ...byAction], oldNames, run: (values) => run(values as CommandOptions<N>) };
}

/** The command with the settings of one of its actions, if it has several and `action` is one. */
export function narrowed(command: Command, action: string | undefined): Command {
  const { name, settings, usage, examples } = command;
  if (action === undefined || settings['action']?.kind.check.safeParse(action).success !== true) return command;
  return {
    ...command,
    usage: usage.replace('<action>', action),
    settings: settingsOf(settings, action),
    groups: [],
    examples: examples.filter(([line]) => line.startsWith(`$0 ${name} ${action} `)),
  };
}

/** The given settings that the command's action reads. Those of a file may be for another action. @throws UsageError for one of the command line that it does not read */
export function readBy({ name: command, settings }: Command, action: string | null, given: readonly Given[]): Given[] {
  const unread = given.find(({ name, from }) => from === null && settings[name] === undefined);
  if (unread !== undefined)
    throw new UsageError(`--${unread.flag}: ${action === null ? command : `${command} ${action}`} does not read it; omit it`);
  return given.filter(({ name }) => settings[name] !== undefined);
}

function positionalText(name: string, setting: Setting<unknown> | undefined): string {
  const [open, close] = setting?.needed ? '<>' : '[]';
  return `${open}${name}${setting?.kind.shape === 'list' ? '..' : ''}${close}`;
}

/** Replaces the word `-` (standard input) while yargs parses: yargs takes `-` for an option without a name. */
const STANDARD_INPUT = '(standard input)';
const ON_OFF: Readonly<Record<string, string>> = { on: 'true', off: 'false', true: 'true', false: 'false' };
/** Words that belong to the switch before them; those that are not a state are refused. */
const STATES: ReadonlySet<string> = new Set([...Object.keys(ON_OFF), 'yes', 'no']);

/** Words that yargs can read: `-` gets a name; `--cookies off`, `--no-cookies` and the like become `--cookies=STATE`; `--page` without a value gets one. @throws UsageError for both states */
export function wordsForYargs({ settings }: Pick<Command, 'settings'>, words: readonly string[]): string[] {
  const switches = new Set(
    Object.entries(settings).flatMap(([name, setting]) => (setting.kind.shape === 'switch' ? flagOf(name, setting) : [])),
  );
  const alone = new Map(
    Object.entries(settings).flatMap(([name, setting]) => (setting.alone === undefined ? [] : [[flagOf(name, setting), setting.alone]])),
  );
  const formerly = new Set(Object.entries(settings).flatMap(([name, setting]) => (setting.kind.formerSwitch ? flagOf(name, setting) : [])));
  const out: string[] = [];
  const states = new Map<string, string>();
  const say = (name: string, state: string) => {
    if ((states.get(name) ?? state) !== state) throw new UsageError(`--${name}, --no-${name}: exclude each other; give one of them`);
    states.set(name, state);
    out.push(`--${name}=${state}`);
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return [...out, ...words.slice(i)];
    const [, no = '', name = '', state] = /^--(no-)?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word) ?? [];
    const byItself = no === '' && state === undefined && isNoValue(words[i + 1]) ? alone.get(name) : undefined;
    if (no !== '' && state === undefined && formerly.has(name)) out.push(`--${name}=off`);
    else if (byItself !== undefined) out.push(`--${name}=${byItself}`);
    else if (!switches.has(name)) out.push(word === '-' ? STANDARD_INPUT : word);
    else if (no !== '') say(name, state === undefined ? 'false' : stateOf(`no-${name}`, '', state));
    else if (state !== undefined) say(name, stateOf(name, state, state));
    else {
      const next = (words[i + 1] ?? '').toLowerCase();
      const said = STATES.has(next);
      if (said) i += 1;
      say(name, stateOf(name, said ? next : 'on', next));
    }
  }
  return out;
}

/** Does an option without a value come before it? */
function isNoValue(next: string | undefined): boolean {
  return next === undefined || next.startsWith('--');
}

/** @param said the word, for errors. @throws UsageError */
function stateOf(name: string, word: string, said: string): string {
  const state = ON_OFF[word.toLowerCase()];
  if (state === undefined) throw new UsageError(`--${name} ${said}: not one of on, off`);
  return state;
}

/** The words before and after `--`: those after it are not options. */
export function atDashes(words: readonly string[]): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const at = words.indexOf('--');
  return at < 0 ? { before: words, after: [] } : { before: words.slice(0, at), after: words.slice(at + 1) };
}

/** Adds the words after `--` as last positionals: yargs has no positionals there. @throws UsageError if they are too many */
export function withPlain({ name: command, settings, positionals }: Command, args: Args, words: readonly string[]): Args {
  const left = [...words];
  const placed = { ...args };
  for (const name of positionals) {
    if (settings[name]?.kind.shape === 'list') placed[name] = [args[name] ?? [], left.splice(0)].flat();
    else if (args[name] === undefined && left.length > 0) placed[name] = left.shift();
  }
  if (left.length > 0) throw new UsageError(`unexpected argument "${left[0]}"; see ${foragerCommand(command, '--help')}`);
  return placed;
}

/** Option of every command: locks whose owner cannot be checked are taken over. Never in a file: it would apply to each call. */
export const TAKE_OVER = 'take-over';

/** @param argv yargs, which only parses: `help.ts` has the help. */
export function withOptions(argv: Argv, { positionals, settings }: Command): Argv {
  for (const name of positionals)
    argv.positional(name, { ...UNLISTED, type: 'string', ...(settings[name]?.kind.shape === 'list' && { array: true }) });
  const named = Object.entries(settings).filter(([name]) => !positionals.includes(name));
  argv.options(Object.fromEntries(named.map(([name, setting]) => [flagOf(name, setting), { ...UNLISTED, ...yargsOf(setting) }])));
  return argv.option(TAKE_OVER, { ...UNLISTED, type: 'boolean' }).option('config', { ...UNLISTED, type: 'string', requiresArg: true });
}

/** yargs lays out a help for each command that it runs, and that takes twice as long as reading its words. Ours is `help.ts`. */
const UNLISTED: Options = { hidden: true };

function yargsOf({ kind }: Setting<unknown>): Options {
  if (kind.shape === 'switch') return { type: 'boolean' };
  return { requiresArg: true, ...(kind.measure !== null ? {} : { type: 'string' }), ...(kind.shape === 'list' && { array: true }) };
}

/** An option given by the command line or the file, with its words and its source. */
export interface Given {
  readonly name: string;
  readonly flag: string;
  readonly words: readonly string[];
  /** Safe to show: without values from the environment. */
  readonly written: readonly string[];
  /** `forager.yaml:3`; null for the command line. */
  readonly from: string | null;
}

/** The given settings: from the command line, otherwise from the file. @throws UsageError, DataError */
export function givenOf({ name: command, settings, positionals }: Command, args: Args, config: ConfigFile | null): Given[] {
  const placed = placedOf(command, positionals, args, config);
  return Object.entries(settings).flatMap(([name, setting]): Given[] => {
    const flag = flagOf(name, setting);
    const words = wordsOf(positionals.includes(name) ? placed.get(name) : args[flag], setting);
    if (words !== null) return [{ name, flag, words, written: words, from: null }];
    const configured = config?.valueOf(command, flag) ?? null;
    return configured === null ? [] : [{ name, flag, ...configured, from: configured.where }];
  });
}

/** Does the line lack a positional that the command needs? */
export function lacks({ settings, positionals }: Command, args: Args): boolean {
  return positionals.filter((name) => settings[name]?.needed).some((name) => args[name] === undefined);
}

/** Does the file set a positional of the command? Then the line may have fewer. */
export function placesIn({ name, positionals }: Command, config: ConfigFile | null): boolean {
  return positionals.some((positional) => config?.has(name, positional) === true);
}

/** Positionals of the line by name. If the line has too few, the file supplies the first ones that it sets. */
function placedOf(command: CommandName, positionals: readonly string[], args: Args, config: ConfigFile | null): Map<string, unknown> {
  const words = positionals.map((name) => args[name]).filter((word) => word !== undefined && [word].flat().length > 0);
  let missing = positionals.length - words.length;
  const placed = new Map<string, unknown>();
  for (const name of positionals) {
    if (missing > 0 && config?.has(command, name)) missing -= 1;
    else placed.set(name, words.shift());
  }
  return placed;
}

/** The arguments that yargs parsed. */
export type Args = Readonly<Record<string, unknown>>;

/** null if nothing was given. An empty list of positionals counts as nothing. */
function wordsOf(value: unknown, { kind }: Setting<unknown>): readonly string[] | null {
  if (value === undefined) return null;
  const words = [value].flat().map((word) => (word === STANDARD_INPUT ? '-' : String(word)));
  return words.length === 0 && kind.shape === 'list' ? null : words;
}

/** The values of the given settings. @throws UsageError that names the option, or the line of the file */
export function optionValues({ settings, positionals }: Command, given: readonly Given[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map(({ name, flag, words, written, from }) => {
      const said = positionals.includes(name) ? name : `--${flag}`;
      const where = from === null ? said : `${from}: ${flag}`;
      const setting = settings[name];
      if (setting?.needed && words.every((word) => word === '')) throw new UsageError(`${where}: is empty; give a value`);
      try {
        return [name, setting?.kind.read(words, where)];
      } catch (error) {
        throw withoutSecrets(error, words, written);
      }
    }),
  );
}

/** @param missing options and positionals, as the user writes them; at least one */
export function missingError(missing: readonly string[], command: string): UsageError {
  const last = missing.at(-1) ?? '';
  const all = missing.length === 1 ? last : `${missing.slice(0, -1).join(', ')} and ${last}`;
  return new UsageError(`${all} ${missing.length === 1 ? 'is' : 'are'} missing; see ${foragerCommand(command, '--help')}`);
}

/** The needed options and positionals that are missing, as the user writes them. */
export function missingOf({ settings, positionals }: Command, values: Readonly<Record<string, unknown>>): string[] {
  const missing = Object.entries(settings).filter(([name, { needed }]) => needed && values[name] === undefined);
  return missing.map(([name, setting]) => (positionals.includes(name) ? `<${name}>` : `--${flagOf(name, setting)}`));
}
