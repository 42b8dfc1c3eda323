import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { DataError, InvariantError, messageOf } from '../../base/core/errors.ts';
import { COMPLEX, EXTENDER, fillBlock, LETTERS, letterAt, SEPARATOR } from '../../base/text/letters.ts';
import { complexEnd, foldedHash } from '../../base/text/tokens.ts';
import { originOf } from '../../base/web/link-resolver.ts';
import { inTitle } from '../extract/block-features.ts';
import { type BlockModel, probabilityOf, type Trees } from '../extract/block-model.ts';
import type { PageContent } from '../extract/blocks.ts';
import { refineRoles } from '../extract/choice-rules.ts';
import { GAP_PROBABILITY, thresholdForHidden } from '../extract/main-text.ts';
import { CoreMemory } from './core-memory.ts';
import { newCore } from './core-module.ts';
import { fillTables } from './core-tables.ts';

/**
 * A core that has grown beyond this is replaced after the page: memory of WebAssembly never shrinks. A page reserves 50 to 60 bytes a character, most of
 * which it does not touch: one page in 200 of the Debian web reserves more than 32 MB, and each new memory costs V8 a collection of all garbage.
 */
const MAX_BYTES = 96 * 1024 * 1024;

/** Names of so many units are read as none; the lower case of a name may be twice as long as the name. */
const TOO_LONG = 65;

/** A table that a core keeps for all pages. */
export interface KeptTable {
  readonly numbers: Float32Array | Int32Array;
  /** Address of the table; another one after `renew`. */
  at: number;
}

/**
 * The WebAssembly core of one thread: it parses pages, reads their words, and judges them, one page after another. Each of its answers is equal to
 * that of the JavaScript modules with the same task, bit by bit; they are its oracle, and read the rest.
 */
export class WasmCore {
  #memory: CoreMemory;
  readonly #tables: KeptTable[] = [];
  /** The trees of a model that are to be kept. */
  #newTrees: Trees | null = null;
  readonly #trees = new Map<Int32Array, KeptTable>();
  /** Bytes of the kept tables. */
  #kept = 0;
  /** The page that is parsed, and the text whose words are read. */
  #html = '';
  #text = '';
  /** Title of that page, in lower case. */
  #title = '';
  /** Content of the page in the memory; null if it is in no state to be read. */
  content: PageContent | null = null;

  constructor() {
    this.#memory = this.#instance();
  }

  get memory(): CoreMemory {
    return this.#memory;
  }

  /** Keeps a table for all pages. @throws InvariantError while a page is in the memory, whose place it would take */
  keep(numbers: Float32Array | Int32Array): KeptTable {
    if (this.content !== null) throw new InvariantError('a table for a core that holds a page');
    const table = { numbers, at: this.#put(numbers) };
    this.#tables.push(table);
    this.#kept += numbers.byteLength;
    return table;
  }

  /** Starts again with a new memory: after a trap, whose remains nobody knows, or when the memory has grown too much. */
  renew(): void {
    this.content = null;
    this.#memory = this.#instance();
    for (const table of this.#tables) table.at = this.#put(table.numbers);
  }

  /**
   * The result of a task on a page.
   * @throws DataError after a trap, which is our error or a want of memory: it costs this page alone, since the next one has a new memory
   */
  guarded<T>(task: () => T): T {
    try {
      return task();
    } catch (error) {
      this.renew();
      throw new DataError(`the reader failed on this page: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Frees the memory of the page before, the only moment at which a table can be kept. */
  #endPage(): void {
    this.content = null;
    if (this.#memory.core.memory.buffer.byteLength - this.#kept > MAX_BYTES) this.renew();
    if (this.#newTrees === null) return;
    const { conditions } = this.#newTrees;
    this.#newTrees = null;
    this.#trees.set(conditions, this.keep(conditions));
  }

  /** The text of bytes that are valid UTF-8. */
  decodeUtf8(bytes: Uint8Array): string {
    this.#endPage();
    const { core } = this.#memory;
    core.release();
    const from = core.take(bytes.length + 16);
    const units = core.take(2 * bytes.length + 32);
    this.#memory.bytes.set(bytes, from);
    const end = core.decodeUtf8(from, from + bytes.length, units);
    return this.#memory.textAt(units, (end - units) >> 1);
  }

  /**
   * The roles that `modelDecision` gives the blocks of the parsed page.
   * @returns null with the first page of a model, whose trees are kept from the next one on
   * @throws an error of WebAssembly, after which only `renew` helps
   */
  rolesBy(model: BlockModel, page: PageContent): Uint8Array | null {
    const { text, title } = page;
    const { conditions, count: trees, bias } = model.trees;
    const table = this.#trees.get(conditions);
    if (table === undefined) {
      this.#newTrees = model.trees;
      return null;
    }
    const { core } = this.#memory;
    this.#title = title.toLowerCase();
    const titleAt = core.take(2 * this.#title.length);
    this.#memory.putText(titleAt, this.#title);
    this.#text = text;
    core.rateBlocks(table.at, trees, bias, titleAt, this.#title.length);
    this.#text = '';
    const count = core.blockCount.value;
    const logits = this.#memory.doubles(core.logits.value, count);
    const probabilities = this.#memory.floats(core.probabilities.value, count);
    for (let i = 0; i < count; i++) probabilities[i] = probabilityOf(logits[i] as number);
    const threshold = model.thresholdAt(core.bestExpectedF1(), page);
    const at = core.chooseBlocks(threshold, thresholdForHidden(threshold), GAP_PROBABILITY);
    const roles = new Uint8Array(core.memory.buffer, at, count).slice();
    refineRoles(page, roles, probabilities, null);
    return roles;
  }

  /**
   * Parses a page; the results are in the memory.
   * @throws an error of WebAssembly, after which only `renew` helps
   */
  parse(html: string): void {
    this.#endPage();
    const { core } = this.#memory;
    const at = core.begin(html.length);
    this.#memory.putText(at, html);
    this.#html = html;
    core.parse();
    this.#html = '';
  }

  /** Puts plain text into the memory, as a page of one block whose words can be read. */
  putPlain(text: string): void {
    this.#endPage();
    this.#memory.putText(this.#memory.core.takePlain(text.length), text);
  }

  /** Reads the words of the page's text. @param more number of units of the texts that `readOther` will get */
  readWords(text: string, more: number): void {
    this.#text = text;
    this.#memory.core.readWords(more);
    this.#text = '';
  }

  /** Reads the words of another text. @returns the first of them and the one after the last; null if JavaScript has to read it. */
  readOther(text: string): [from: number, to: number] | null {
    const { core } = this.#memory;
    const at = core.take(2 * text.length + 64);
    this.#memory.putText(at, text);
    this.#text = text;
    const from = core.wordCount.value;
    const isRead = core.readOther(at, text.length);
    this.#text = '';
    return isRead ? [from, core.wordCount.value] : null;
  }

  #put({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): number {
    const at = this.#memory.core.keep(byteLength);
    this.#memory.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    return at;
  }

  #instance(): CoreMemory {
    const core = newCore({
      lowerCase: (from, end) =>
        this.#answer(from, end, (name) =>
          name
            .slice(0, 2 * TOO_LONG)
            .toLowerCase()
            .slice(0, TOO_LONG),
        ),
      decodeText: (from, end) => this.#answer(from, end, decodeHTML),
      decodeAttribute: (from, end) => this.#answer(from, end, decodeHTMLAttribute),
      fillLetters: (unit) => this.#fillLetters(unit),
      complexWord: (from, start, at) => this.#complexWord(from, start, at),
      isPlainOrigin: (from, end) => this.#isPlainOrigin(from, end),
      inTitle: (start, end) => inTitle(this.#text.slice(start, end), this.#title),
    });
    const memory = new CoreMemory(core);
    fillTables(memory);
    return memory;
  }

  /** The answer about a part of the page, in the scratch memory. */
  #answer(from: number, end: number, answerTo: (part: string) => string): number {
    const { core } = this.#memory;
    const html = core.html.value;
    const answer = answerTo(this.#html.slice((from - html) >> 1, (end - html) >> 1));
    const at = core.scratch.value;
    this.#memory.putText(at, answer);
    this.#memory.putInts(at - 4, [answer.length]);
    return at;
  }

  #isPlainOrigin(from: number, end: number): boolean {
    const origin = this.#memory.textAt(from, (end - from) >> 1);
    return originOf(origin) === origin;
  }

  #fillLetters(unit: number): void {
    fillBlock(unit);
    const start = unit & 0xff00;
    this.#memory.units(this.#memory.core.LETTERS.value + 2 * start, 256).set(LETTERS.subarray(start, start + 256));
  }

  /** See `complexWord` of `assembly/host-functions.ts`. */
  #complexWord(from: number, start: number, at: number): number {
    const text = this.#text;
    const place = (at - from) >> 1;
    const letter = letterAt(text, place);
    if (letter !== COMPLEX && letter !== EXTENDER) return letter === SEPARATOR ? start : 0;
    const end = complexEnd(text, place);
    const first = (start - from) >> 1;
    const hash = letter === COMPLEX || first < end - 1 ? foldedHash(text, first, end) : null;
    this.#memory.putInts(this.#memory.core.folded.value, [hash ?? 0, hash === null ? 0 : 1]);
    return from + 2 * end;
  }
}
