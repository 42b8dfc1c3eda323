/** Command lines to show: a person pastes them into a POSIX shell, which reads the same words. */
import { isUnprintable } from './printable.ts';

/** A word that the reader fills in. */
export class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type ShellWord = string | Blank;

/** Characters that no shell reads as anything else. zsh looks for a program behind a leading `=`. */
const PLAIN = /^(?!=)[\w%+,./:=@-]+$/;

/** @param words the command and its arguments */
export function shellLine(words: readonly ShellWord[]): string {
  return words.map((word) => (word instanceof Blank ? `<${word.name}>` : shellWord(word))).join(' ');
}

/** A path that no command takes for an option. */
export function pathWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** An option with its values. One that begins as an option is joined to the name, since the parser would take it for one. */
export function optionWords(name: string, ...values: readonly string[]): string[] {
  const [first = '', ...rest] = values;
  return first.startsWith('-') && rest.length === 0 ? [`${name}=${first}`] : [name, ...values.map(pathWord)];
}

function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return [...word].some(isUnprintable) ? `"$(printf %b '${[...word].map(printfPart).join('')}')"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Characters that a terminal obeys or hides are written in octal (POSIX, printf, `%b`). So are those that printf and the quotes read. */
function printfPart(character: string): string {
  if (!isUnprintable(character) && !/[\\'\n]/.test(character)) return character;
  return [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
}
