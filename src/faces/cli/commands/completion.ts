import { print } from '../command.ts';
import { completionScript } from '../completion.ts';
import { type Command, command } from '../define.ts';

/** @param all the commands to complete, this one among them */
export function completionCommand(all: () => readonly Command[]): Command {
  return command({
    name: 'completion',
    positionals: ['shell'],
    summary: 'print a script by which a shell completes command lines of Forager',
    examples: [
      ['$0 completion bash > ~/.local/share/bash-completion/completions/forager', 'for bash, once'],
      ['source <($0 completion zsh)', 'for zsh, in ~/.zshrc'],
      ['$0 completion fish > ~/.config/fish/completions/forager.fish', 'for fish, once'],
    ],
    run: async ({ shell }) => {
      const names = all().map(({ name }) => name);
      print(completionScript(shell, all(), { config: names }).trimEnd());
      return 0;
    },
  });
}
