/** Commands of Forager to show, under the name by which the user runs it, and with the file of options that the user gave. */
import { Blank, pathWord, type ShellWord, shellLine } from './shell-line.ts';

/** A file of options that named the crawl of this command: the next ones read it too. */
export interface ShownConfig {
  readonly file: string;
  /** The crawl directory that the file gives this command, or another positional of its own; null if it gives none. */
  placeOf(command: string): string | null;
  has(command: string, option: string): boolean;
}

let program = 'npx forager';
let config: ShownConfig | null = null;

/** @param name as a shell reads it: `forager`, `npx forager`, `node dist/bin/main.js` */
export function showAs(name: string, file: ShownConfig | null = null): void {
  program = name;
  config = file;
}

export function programName(): string {
  return program;
}

/** `npx forager train --help`. @param command may be two words: `label audit` */
export function foragerCommand(command: ShellWord, ...words: readonly ShellWord[]): string {
  const named = typeof command === 'string' ? command.split(' ') : [command];
  return `${program} ${shellLine([...named, ...words])}`;
}

/** A command about a crawl or corpus: `npx forager label audit crawls/moss`, or with `--config forager.yaml` if that names it. */
export function commandOn(command: string, place: string, ...words: readonly ShellWord[]): string {
  return foragerCommand(command, ...placeWords(command, place), ...words);
}

/** `--out <folder>`, unless the file of options has it. */
export function outWords(command: string, place: string): ShellWord[] {
  return isConfigured(command, place) && config?.has(command, 'out') === true ? [] : ['--out', new Blank('folder')];
}

function placeWords(command: string, place: string): ShellWord[] {
  return isConfigured(command, place) ? ['--config', pathWord(config?.file ?? '')] : [pathWord(place)];
}

function isConfigured(command: string, place: string): boolean {
  return config?.placeOf(command) === place;
}
