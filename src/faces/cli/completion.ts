/** Scripts by which a shell completes command lines. They contain all words, so completing starts no process. */
import { VERSION } from '../../base/core/version.ts';
import type { Shell } from '../../crawling/settings/commands.ts';
import { acceptedWords } from '../../crawling/settings/kinds.ts';
import { currentOf, flagOf, type Setting, settingsOf } from '../../crawling/settings/setting.ts';
import { type Command, TAKE_OVER } from './define.ts';

type Listed = Pick<Command, 'name' | 'summary' | 'settings' | 'positionals'>;

interface CompletedOption {
  readonly flag: string;
  readonly help: string;
  /** Values to offer; [] for a switch, a number, or a value that is a file or free text. */
  readonly values: readonly string[];
  readonly takes: 'nothing' | 'word' | 'file';
  /** See `Setting`. */
  readonly action?: string | undefined;
}

const GENERAL: readonly CompletedOption[] = [
  { flag: 'config', help: 'YAML file of options for all commands', values: [], takes: 'file' },
  { flag: TAKE_OVER, help: 'take over the lock of a process that has ended', values: [], takes: 'nothing' },
  { flag: 'help', help: 'show the help of the command', values: [], takes: 'nothing' },
];

/** @param others commands without settings, such as `config`, with their arguments */
export function completionScript(shell: Shell, commands: readonly Listed[], others: Readonly<Record<string, readonly string[]>>): string {
  const head = `# ${shell} completion of Forager ${VERSION}, written by: forager completion ${shell}\n`;
  if (shell === 'fish') return head + fishScript(commands, others);
  // zsh runs scripts of bash by its module bashcompinit.
  return (
    head + (shell === 'zsh' ? 'autoload -U +X compinit bashcompinit && compinit && bashcompinit\n' : '') + bashScript(commands, others)
  );
}

function bashScript(commands: readonly Listed[], others: Readonly<Record<string, readonly string[]>>): string {
  const names = [...commands.filter(({ name }) => !isPart(name)).map(({ name }) => name), ...Object.keys(others)];
  const flags = commands
    .flatMap((command) => byAction(command, partsOf(command, commands)))
    .map(([words, command]) => `      ${words}) words='${wordsOf(command).join(' ')}' ;;\n`);
  const values = commands.flatMap((command) =>
    optionsOf(command).flatMap(({ flag, values: all }) =>
      all.length > 0 ? `      ${firstWord(command.name)}:--${flag}) words='${all.join(' ')}' ;;\n` : [],
    ),
  );
  const places = commands.flatMap(({ name, settings, positionals }) => {
    const all = positionals[0] === undefined ? [] : valuesOf(settings[positionals[0]]);
    return all.length > 0 ? `      ${name}:${name}) words='${all.join(' ')}' ;;\n` : [];
  });
  const parts = commands.flatMap((command) => {
    const all = partsOf(command, commands).map(({ name }) => lastWord(name));
    return all.length > 0 ? `      ${command.name}:${command.name}) words='${all.join(' ')}'; compopt -o plusdirs 2>/dev/null ;;\n` : [];
  });
  const arguments_ = Object.entries(others).map(([name, words]) => `      ${name}:${name}) words='${words.join(' ')}' ;;\n`);
  return `_forager() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${names.join(' ')} --help --version'
  elif [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${flags.join('')}    esac
  else
    case \${COMP_WORDS[1]}:$prev in
${[...values, ...places, ...parts, ...arguments_].join('')}    esac
  fi
  [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _forager forager
`;
}

/** Is it a command of two words, such as `label audit`? */
function isPart(name: string): boolean {
  return name.includes(' ');
}

function partsOf({ name }: Listed, commands: readonly Listed[]): Listed[] {
  return commands.filter((one) => one.name.startsWith(`${name} `));
}

function firstWord(name: string): string {
  return name.split(' ')[0] ?? '';
}

function lastWord(name: string): string {
  return name.split(' ').at(-1) ?? '';
}

/** The patterns of a command's first two words, the narrowest first, each with the options to offer. */
function byAction(command: Listed, parts: readonly Listed[]): (readonly [pattern: string, Listed])[] {
  const { name, settings } = command;
  if (isPart(name)) return [];
  const own = valuesOf(settings['action']).map(
    (action) => [`'${name} ${action}'`, { ...command, settings: settingsOf(settings, action) }] as const,
  );
  const named = parts.map((part) => [`'${part.name}'`, part] as const);
  return [...named, ...own, [`'${name} '*`, command]];
}

function fishScript(commands: readonly Listed[], others: Readonly<Record<string, readonly string[]>>): string {
  const lines = ['complete -c forager -n __fish_use_subcommand -l help -d "show all commands"'];
  for (const command of commands) {
    const within = `complete -c forager -n "${fishPlace(command, commands)}"`;
    lines.push(fishName(command, commands));
    for (const { flag, help, values, takes, action } of optionsOf(command)) {
      const value = takes === 'nothing' ? '' : values.length > 0 ? ` -xa ${quoted(values.join(' '))}` : takes === 'file' ? ' -r' : ' -x';
      const where = action === undefined ? within : within.replace(/"$/, `; and __fish_seen_subcommand_from ${action}"`);
      lines.push(`${where} -l ${flag} -d ${quoted(help)}${value}`);
    }
    const places = command.positionals.flatMap((name) => valuesOf(command.settings[name]));
    if (places.length > 0) lines.push(`${within} -xa ${quoted(places.join(' '))}`);
  }
  for (const [name, words] of Object.entries(others)) {
    lines.push(`complete -c forager -n __fish_use_subcommand -xa ${name}`);
    lines.push(`complete -c forager -n "__fish_seen_subcommand_from ${name}" -xa ${quoted(words.join(' '))}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The condition under which the options of a command are offered. */
function fishPlace(command: Listed, commands: readonly Listed[]): string {
  const seen = command.name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const parts = partsOf(command, commands).map(({ name }) => lastWord(name));
  return [...seen, ...(parts.length > 0 ? [`not __fish_seen_subcommand_from ${parts.join(' ')}`] : [])].join('; and ');
}

/** The line that offers the command itself; directories are offered beside the second word of one. */
function fishName({ name, summary }: Listed, commands: readonly Listed[]): string {
  const whole = commands.find((one) => one.name === firstWord(name));
  if (whole === undefined || !isPart(name)) return `complete -c forager -n __fish_use_subcommand -xa ${name} -d ${quoted(summary)}`;
  return `complete -c forager -n "${fishPlace(whole, commands)}" -a ${lastWord(name)} -d ${quoted(summary)}`;
}

function wordsOf(command: Listed): string[] {
  return optionsOf(command).map(({ flag }) => `--${flag}`);
}

/** The options of a command, with `--no-NAME` of each switch that is on by default or that a crawl keeps. */
function optionsOf({ settings, positionals }: Listed): CompletedOption[] {
  const own = Object.entries(currentOf(settings)).filter(([name]) => !positionals.includes(name));
  return [...own.flatMap(([name, setting]) => forms(flagOf(name, setting), setting)), ...GENERAL];
}

function forms(flag: string, setting: Setting<unknown>): CompletedOption[] {
  const { kind, help, action } = setting;
  if (kind.shape !== 'switch') return [{ flag, help, action, values: valuesOf(setting), takes: kind.measure !== null ? 'word' : 'file' }];
  const one: CompletedOption = { flag, help, action, values: [], takes: 'nothing' };
  return setting.keep || setting.byDefault?.startsWith('on') ? [one, { ...one, flag: `no-${flag}`, help: `turn off: ${help}` }] : [one];
}

/** The words that an option accepts; [] if it accepts others too. */
function valuesOf(setting: Setting<unknown> | undefined): readonly string[] {
  return setting === undefined ? [] : acceptedWords(setting.kind);
}

/** One word for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
