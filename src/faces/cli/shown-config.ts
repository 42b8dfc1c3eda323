import type { ShownConfig } from '../../base/text/forager-command.ts';
import { COMMANDS, type CommandName } from '../../crawling/settings/commands.ts';
import type { ConfigFile } from '../../crawling/settings/config-file.ts';

/** The file of options as printed commands name it. */
export function shownConfig(config: ConfigFile): ShownConfig {
  const given = (command: string, option: string) => (isCommand(command) ? config.valueOf(command, option) : null);
  return {
    file: config.path,
    has: (command, option) => isCommand(command) && config.has(command, option),
    placeOf: (command) => (given(command, 'dir') ?? given(command, 'corpus'))?.words[0] ?? null,
  };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
