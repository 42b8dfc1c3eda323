/** Generated Markdown with the words, headings, links and notes that a document made of it must have. The same seed gives the same document. */
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';

export interface MarkdownDocument {
  readonly title: string;
  readonly markdown: string;
  /** All words that a reader sees, in any order. */
  readonly text: string;
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly notes: readonly string[];
}

/** Letters of words by script. Words are made of them, so no text of others is in here. */
const SCRIPTS: readonly (readonly [name: string, letters: string, join: string])[] = [
  ['Latin', 'abcdefghijklmnopqrstuvwxyz', ' '],
  ['German', 'abcdefghiklmnoprstuvwzäöüß', ' '],
  ['Polish', 'abcdeghijklmnoprstuwyząćęłńóśż', ' '],
  ['Russian', 'абвгдежзийклмнопрстуфхцчшщыьэюя', ' '],
  ['Greek', 'αβγδεζηθικλμνξοπρστυφχψω', ' '],
  ['Arabic', 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي', ' '],
  ['Hebrew', 'אבגדהוזחטיכלמנסעפצקרשת', ' '],
  ['Hindi', 'कखगघचछजझटठडढणतथदधनपफबभमयरलव', ' '],
  ['Chinese', '水火山石田土日月木金人口手足目耳心大小中上下左右', ''],
  ['Japanese', 'あいうえおかきくけこさしすせそたちつてとなにぬねの', ''],
  ['Korean', '가나다라마바사아자차카타파하거너더러머버서', ' '],
];

/** Document of a number: its script follows from it. */
export function markdownDocument(number: number): MarkdownDocument {
  return new DocumentWriter(number).write();
}

class DocumentWriter {
  readonly #rng: Rng;
  readonly #script: (typeof SCRIPTS)[number];
  readonly #number: number;
  readonly #blocks: string[] = [];
  readonly #text: string[] = [];
  readonly #headings: { level: number; text: string }[] = [];
  readonly #links: { href: string; text: string }[] = [];
  readonly #notes: string[] = [];

  constructor(number: number) {
    this.#number = number;
    this.#rng = seededRng(Math.imul(number + 1, 0x9e3779b1));
    this.#script = SCRIPTS[number % SCRIPTS.length] ?? ['Latin', 'abc', ' '];
  }

  write(): MarkdownDocument {
    const title = this.#say(3);
    for (let section = 0; section < 6; section += 1) this.#section(section === 0 ? 1 : 1 + this.#below(4));
    const notes = this.#notes.map((note, i) => `[^${i + 1}]: ${note}`);
    return {
      title,
      markdown: [...this.#blocks, ...notes].join('\n\n'),
      text: this.#text.join(' '),
      headings: this.#headings,
      links: this.#links,
      notes: this.#notes,
    };
  }

  #section(level: number): void {
    const text = this.#say(1 + this.#below(5));
    this.#headings.push({ level, text });
    this.#blocks.push(`${'#'.repeat(level)} ${text}`);
    const parts = [() => this.#paragraph(), () => this.#list(), () => this.#table(), () => this.#quote(), () => this.#code()];
    for (let part = 0; part < 4; part += 1) (part === 0 ? parts[0] : parts[this.#below(parts.length)])?.();
  }

  #paragraph(): void {
    const bold = `**${this.#say(2)}**`;
    const italic = `*${this.#say(2)}*`;
    this.#blocks.push(
      `${this.#say(12)} ${bold} ${this.#say(6)} ${italic} ${this.#link()} ${this.#say(8)}.${this.#note()} ${this.#say(15)}.`,
    );
  }

  #link(): string {
    const text = this.#say(2);
    const href = `https://host${this.#number}.example/path/${this.#links.length}?a=1&b=${this.#below(99)}`;
    this.#links.push({ href, text });
    return `[${text}](${href})`;
  }

  #note(): string {
    this.#notes.push(this.#say(8));
    return `[^${this.#notes.length}]`;
  }

  #list(): void {
    const sign = this.#rng() < 0.5 ? '-' : '1.';
    const blanks = ' '.repeat(sign.length + 1);
    const inner = `${blanks}- ${this.#say(4)}\n${blanks}- ${this.#say(4)} ${this.#link()}`;
    this.#blocks.push(`${sign} ${this.#say(5)}\n${sign} ${this.#say(5)}\n\n${inner}\n\n${sign} ${this.#say(3)}`);
  }

  #table(): void {
    const row = () => `| ${this.#say(2)} | ${this.#say(3)} | ${this.#say(1)} |`;
    this.#blocks.push([row(), '|---|---|---|', row(), row(), row()].join('\n'));
  }

  #quote(): void {
    this.#blocks.push(`> ${this.#say(14)}`);
  }

  #code(): void {
    this.#blocks.push(['```', this.#say(3), `  ${this.#say(4)}`, '```'].join('\n'));
  }

  /** Words, which are noted as text of the document. */
  #say(words: number): string {
    const [, letters, join] = this.#script;
    const all = [...letters];
    const word = () => Array.from({ length: 2 + this.#below(7) }, () => all[this.#below(all.length)] ?? '').join('');
    const said = Array.from({ length: words }, word).join(join);
    this.#text.push(said);
    return said;
  }

  #below(bound: number): number {
    return Math.floor(this.#rng() * bound);
  }
}
