/** Options of an earlier version that are commands of their own now: this version runs the command, and prints how to write it. */

import { UsageError } from '../../base/core/errors.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { optionWords, pathWord } from '../../base/text/shell-line.ts';
import { type Former, flagOf } from '../../crawling/settings/setting.ts';
import { type Command, type Given, readBy } from './define.ts';

/** A command with its given options. */
export interface Called {
  readonly command: Command;
  readonly given: readonly Given[];
}

interface FormerOption extends Given {
  readonly former: Former;
}

/**
 * The command that the given options mean now; unchanged if none of them is a command.
 * @param file of options, as a command line names it; null without one
 * @throws UsageError if they mean several, or with options that the command does not read
 */
export function inCurrentForm(
  called: Called,
  { commands, file, warn }: { readonly commands: readonly Command[]; readonly file: string | null; readonly warn: (line: string) => void },
): Called {
  const { command, given } = called;
  const meant = meantBy(called);
  const current = commands.find(({ name }) => name === meant[0]?.former.command);
  if (current === undefined) return { command, given: given.filter((one) => formerOf(command, one)?.ifOn ?? !formerOf(command, one)) };
  const moved = given.flatMap((one) => movedTo(current, command, one));
  const line = { command: current, given: moved };
  const now = lineOf(line, file);
  const others = meant.filter(({ former }) => former.command !== current.name);
  if (others.length > 0)
    throw new UsageError(
      `${[meant[0], ...others].map((one) => `--${one?.flag}`).join(', ')}: are commands of their own now, so give one of them: ${now}`,
    );
  warn(
    `${placeOf(meant)}: is ${meant[0]?.former.as === meant[0]?.name ? 'an option of another command' : 'a command of its own'} now, and works here in this version only; write: ${now}`,
  );
  return { command: current, given: readBy(current, null, moved) };
}

/** The options that are a command, without those that only modify another of them. */
function meantBy({ command, given }: Called): FormerOption[] {
  const found = given.flatMap((one) => {
    const former = formerOf(command, one);
    return former !== undefined && isMeant(one, former) ? [{ ...one, former }] : [];
  });
  const own = found.filter(({ former }) => former.ifOn === undefined);
  return own.length > 0 ? own : found;
}

function formerOf({ settings }: Command, { name }: Given): Former | undefined {
  return settings[name]?.former;
}

/** A switch that is off means nothing. An option of the other command in a file waits for that command. */
function isMeant({ name, words, from }: Given, { as }: Former): boolean {
  return words[0] !== 'false' && (from === null || as !== name);
}

/** The option under its name in the other command; nothing if the command itself says it. */
function movedTo(current: Command, { settings }: Command, one: Given): Given[] {
  const former = settings[one.name]?.former;
  if (former === undefined || (former.ifOn && former.command !== current.name)) return [one];
  // The word of an option that is the command itself says nothing more, and must still be one of its words.
  if (former.as === undefined) settings[one.name]?.kind.read(one.words, `--${one.flag}`);
  const name = former.command === current.name ? former.as : undefined;
  const setting = name === undefined ? undefined : current.settings[name];
  return name === undefined || setting === undefined ? [] : [{ ...one, name, flag: flagOf(name, setting) }];
}

function placeOf(meant: readonly FormerOption[]): string {
  const [first] = meant;
  return first?.from == null ? `--${first?.flag}` : `${first.from}: ${first.flag}`;
}

/** The line to write now. The values of a file stay there, except those of the command itself. */
function lineOf({ command, given }: Called, file: string | null): string {
  const { name: command_, positionals, settings } = command;
  const known = given.filter(({ name }) => settings[name] !== undefined);
  const written = known.filter(({ name, from }) => from === null || (positionals.includes(name) && name !== 'dir'));
  const places = positionals.flatMap((name) =>
    written.filter((one) => one.name === name).flatMap(({ written: words }) => words.map(pathWord)),
  );
  const options = written.flatMap(({ name, flag, written: words }) => {
    if (positionals.includes(name)) return [];
    if (settings[name]?.kind.shape === 'switch') return [words[0] === 'false' ? `--no-${flag}` : `--${flag}`];
    return optionWords(`--${flag}`, ...words);
  });
  return foragerCommand(command_, ...places, ...options, ...(file === null ? [] : ['--config', pathWord(file)]));
}
