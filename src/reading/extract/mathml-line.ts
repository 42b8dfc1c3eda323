/** Presentation MathML (MathML Core) on one line, as people type formulas: `x^2`, `(a+b)/c`, `√(x+1)`, `∑_(i=1)^n`. */

/** Deeper elements are read as their text. */
const MAX_DEPTH = 200;
/** Signs that are not seen: function application, invisible times, separator and plus. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g;
/** One sign, a number or a name: it needs no parentheses. */
const SINGLE = /^(?:[\p{L}\p{N}.]+|.)$/u;
const DROPPED = new Set(['annotation', 'annotation-xml', 'mphantom']);

interface Element {
  readonly name: string;
  readonly parts: string[];
}

/** Receives the tags and texts of one `math` element. */
export class MathmlLine {
  readonly #open: Element[] = [];
  readonly #top: string[] = [];

  start(name: string, isEmpty: boolean): void {
    if (isEmpty) this.#parts.push(name === 'mspace' ? ' ' : '');
    else if (this.#open.length < MAX_DEPTH) this.#open.push({ name, parts: [] });
  }

  end(name: string): void {
    const at = this.#open.findLastIndex((element) => element.name === name);
    while (at >= 0 && this.#open.length > at) this.#pop();
  }

  text(text: string): void {
    const plain = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ');
    if (plain.trim() !== '') this.#parts.push(this.#open.at(-1)?.name === 'mtext' ? plain : plain.trim());
  }

  /** The line; '' for no text. Ends all elements. */
  finish(): string {
    while (this.#open.length > 0) this.#pop();
    return joined(this.#top).trim();
  }

  get #parts(): string[] {
    return this.#open.at(-1)?.parts ?? this.#top;
  }

  #pop(): void {
    const element = this.#open.pop();
    if (element !== undefined && !DROPPED.has(element.name)) this.#parts.push(lineOf(element));
  }
}

function lineOf({ name, parts }: Element): string {
  const [first = '', second = '', third = ''] = parts;
  switch (name) {
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msqrt':
      return `√${grouped(joined(parts))}`;
    case 'mroot':
      return `${grouped(second)}√${grouped(first)}`;
    case 'msub':
    case 'munder':
      return first + script('_', second);
    case 'msup':
    case 'mover':
      return first + script('^', second);
    case 'msubsup':
    case 'munderover':
      return first + script('_', second) + script('^', third);
    case 'mtr':
    case 'mlabeledtr':
      return parts.join(', ');
    case 'mtable':
      return parts.join('; ');
    case 'mfenced':
      return `(${parts.join(', ')})`;
    default:
      return joined(parts);
  }
}

function script(sign: string, text: string): string {
  return text === '' ? '' : sign + grouped(text);
}

function grouped(text: string): string {
  return SINGLE.test(text) || isEnclosed(text) ? text : `(${text})`;
}

/** Is it one pair of parentheses with its content? */
function isEnclosed(text: string): boolean {
  return /^\([^()]*\)$/.test(text);
}

/** Two names side by side are two words. */
function joined(parts: readonly string[]): string {
  return parts.reduce((line, part) => {
    const isWords = /\p{L}{2}$/u.test(line) && /^[\p{L}\p{N}]/u.test(part);
    return `${line}${isWords || (/[\p{L}\p{N}]$/u.test(line) && /^\p{L}{2}/u.test(part)) ? ' ' : ''}${part}`;
  }, '');
}
