/** JSON as templates write it: with a comma too many or too few, comments, marks of HTML around it, line breaks in strings. */
import { decodeHTML } from 'entities';

/** Number of values read from one script. */
const MAX_VALUES = 100;

/** The values of a script, in order: most have one, some write several one after the other. Damaged ones are omitted. O(length), never throws. */
export function jsonValues(script: string): readonly unknown[] {
  const whole = parsed(script);
  if (whole !== undefined) return [whole];
  // A template that escapes everything leaves no quotation mark.
  const text = !script.includes('"') && script.includes('&quot;') ? decodeHTML(script) : script;
  return new Mender(text)
    .values()
    .map(parsed)
    .filter((value) => value !== undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** White space, comments, and marks of HTML and CDATA around the script, outside of strings. */
const SKIPPED = /(?:[\s\ufeff]+|\/\/[^\n\r]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|<!--|-->|<!\[CDATA\[|\]\]>)/y;
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
/** Single-quoted string, as scripts may write it, and JSON may not. */
const SINGLE = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y;
/** A number, a literal, or a name that is not quoted. */
const WORD = /[\w$.+-]+/y;
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what JSON forbids in strings.
const SPECIAL = /\\u[\da-fA-F]{4}|\\[\s\S]|[\u0000-\u001f]+|"/g;

/** Writes values again as JSON, token by token. Its commas are its own: those of the script say nothing. */
class Mender {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** The value so far. */
  #out: string[] = [];
  /** Does it end with a whole part, so that the next one needs a comma? */
  #needsComma = false;
  readonly #values: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  values(): readonly string[] {
    while (this.#at < this.#text.length && this.#values.length < MAX_VALUES) this.#step();
    return this.#values;
  }

  #step(): void {
    if (this.#take(SKIPPED) !== null) return;
    const mark = this.#text[this.#at] ?? '';
    if (mark === '"' || mark === "'") {
      const string = this.#take(mark === '"' ? STRING : SINGLE);
      // Nothing after a string without an end can be read.
      if (string === null) this.#at = this.#text.length;
      else this.#part(`"${string.slice(1, -1).replaceAll(SPECIAL, allowed)}"`);
      return;
    }
    const word = this.#take(WORD);
    if (word !== null) this.#part(LITERAL.test(word) ? word : JSON.stringify(word));
    else this.#mark(mark);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  /** A string, literal or name. Outside of objects and lists there is none: `var data =`. */
  #part(written: string): void {
    if (this.#depth > 0) this.#write(written, true);
  }

  #mark(mark: string): void {
    this.#at += 1;
    if (mark === '{' || mark === '[') {
      this.#write(mark, false);
      this.#depth += 1;
    } else if ((mark === '}' || mark === ']') && this.#depth > 0) this.#close(mark);
    else if (mark === ':' && this.#needsComma) {
      this.#out.push(mark);
      this.#needsComma = false;
    }
  }

  #write(written: string, isWhole: boolean): void {
    if (this.#needsComma) this.#out.push(',');
    this.#out.push(written);
    this.#needsComma = isWhole;
  }

  #close(bracket: string): void {
    this.#depth -= 1;
    this.#out.push(bracket);
    this.#needsComma = this.#depth > 0;
    if (this.#depth > 0) return;
    this.#values.push(this.#out.join(''));
    this.#out = [];
  }
}

/** The content of a string as JSON allows it: controls are spaces, a backslash that escapes nothing is dropped. */
function allowed(written: string): string {
  if (written === '"') return '\\"';
  if (!written.startsWith('\\')) return ' ';
  if (/^\\(?:u[\da-fA-F]{4}|["\\/bfnrt])$/.test(written)) return written;
  const character = written.slice(1);
  return character < ' ' ? ' ' : character;
}
