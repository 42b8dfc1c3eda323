import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { spelled } from '../../base/text/joiners.ts';
import { type LinkBase, resolveLink } from '../../base/web/link-query.ts';
import { KEEP } from './line-edges.ts';
import { SAME_PARAGRAPH } from './line-notes.ts';
import type { MarkupWriter } from './markup-writer.ts';
import { knownTags, makeTag, type Tag } from './tags.ts';
import { CONTENT_MODELS, type ContentModel, type TokenSink, tokenize } from './tokenizer.ts';

/** Notes of the first pass over a page for a second: the places of the visible text, and the parser's answers to the tokenizer. */
export interface TextSpans {
  /** The start of each piece of text in the page, ascending. */
  readonly starts: Int32Array;
  /** The index of its block. */
  readonly blocks: Int32Array;
  /** The white space that each piece keeps: bits of `KEEP`. */
  readonly keeps: Uint8Array;
  /** The content model of each start tag: a place in `CONTENT_MODELS`. */
  readonly contents: Uint8Array;
  /** 1 for each markup declaration in svg or math, 0 for the others. */
  readonly foreigns: Uint8Array;
}

export interface MarkupOptions {
  /** Keeps links, resolved against this URL; null for their text alone. */
  readonly linkBase: LinkBase | null;
  /** The line ends before each block: `LineNotes.gaps`. */
  readonly gaps: Uint8Array;
  /** Steps that are taken before kept blocks. Default: none. */
  readonly before?: ReadonlyMap<number, () => void>;
  /** Is a block of a quote, in another element than `blockquote`? Default: none is. */
  readonly isQuoted?: (block: number) => boolean;
}

const HEADING = /^h[1-6]$/;
const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);
/** Elements whose edges are none of a list, a quote, a table or a heading: lines or paragraphs. */
const PLAIN = new Set('address center div p'.split(' '));
/** Name of a quote that no element has. */
const QUOTE = '#quote';
const CODE = new Set(['code', 'kbd', 'samp', 'tt']);
const TAGS = new Map([...Array.from(CODE, (name) => [name, makeTag(name)] as const), ...knownTags()]);
/** Elements that show that a table around them is only layout. */
const NOT_IN_TABLES = new Set([...'h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote table article section'.split(' ')]);
const WANTED_ATTRIBUTES = new Set(['href', 'class', 'start', 'display']);
const LONGEST_WANTED = Math.max(...Array.from(WANTED_ATTRIBUTES, (name) => name.length));
/** A row with more cells does not belong to a table that anybody reads. */
const MAX_CELLS = 100;
/** White space, and characters that are neither: soft hyphens, zero-width spaces, direction marks. */
const SPACES = /[\s\u0085]+/g;
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
/** White space up to the first line end. */
const TO_LINE_END = /^[ \t]*(?:\r\n?|[\n\v\f\u0085\u2028\u2029])/;
/** A further line of a paragraph begins with one line end. */
const NEXT_LINE = SAME_PARAGRAPH | 1;
const NO_TEXT = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

/**
 * Writes the blocks of a page for which `isKept` is true: headings, paragraphs, lists, quotes, code with its line breaks, simple tables, links. A second
 * pass over the tags; `spans` come from the first. For any markup, time is O(length) and nothing is thrown.
 */
export function writeMarkup(
  html: string,
  spans: TextSpans,
  isKept: (block: number) => boolean,
  writer: MarkupWriter,
  options: MarkupOptions,
): void {
  const sink = new MarkupSink(html, spans, isKept, writer, options);
  tokenize(html, sink);
  sink.finish();
}

class MarkupSink implements TokenSink {
  readonly #html: string;
  readonly #spans: TextSpans;
  readonly #isKept: (block: number) => boolean;
  readonly #linkBase: LinkBase | null;
  readonly #gaps: Uint8Array;
  readonly #before: ReadonlyMap<number, () => void> | undefined;
  readonly #isQuoted: (block: number) => boolean;
  /** Is a quote open that is no `blockquote`? */
  #inQuote = false;
  readonly #writer: MarkupWriter;
  #span = 0;
  /** The first piece of visible text that has not come yet. */
  #next = 0;
  #tag: Tag | null = null;
  readonly #attributes = new Map<string, string>();
  /** Number of answers of the first pass that were repeated. */
  #answered = 0;
  #answeredForeign = 0;

  /** The current paragraph, in pieces; whether it ends with white space; and whether that is a line break. */
  #line: string[] = [];
  #spaced = true;
  #broken = false;
  #level = 0;
  /** Number of the block of the last text. */
  #block = -1;
  /** Text of a `code` element inside a line, or of a `pre`; null outside. */
  #code: string[] | null = null;
  #pre: string[] | null = null;
  /** Text of a `math` element; null outside. */
  #formula: string[] | null = null;
  #isDisplay = false;
  /** Has an element in preformatted text ended, and nothing followed? */
  #afterEnd = false;
  #language = '';
  #link: { readonly at: number; readonly href: string } | null = null;
  /** Rows of a data table; null outside, and in a table that is only layout. */
  #rows: string[][] | null = null;

  constructor(
    html: string,
    spans: TextSpans,
    isKept: (block: number) => boolean,
    writer: MarkupWriter,
    { linkBase, gaps, before, isQuoted = () => false }: MarkupOptions,
  ) {
    this.#html = html;
    this.#spans = spans;
    this.#isKept = isKept;
    this.#writer = writer;
    this.#linkBase = linkBase;
    this.#gaps = gaps;
    this.#before = before;
    this.#isQuoted = isQuoted;
  }

  finish(): void {
    this.#endPre();
    this.#endTable();
    this.#flush();
  }

  isForeign(): boolean {
    this.#answeredForeign += 1;
    return this.#spans.foreigns[this.#answeredForeign - 1] === 1;
  }

  text(start: number, end: number, references: boolean): void {
    if (!this.#isVisible(start)) return;
    const block = this.#spans.blocks[this.#span] ?? -1;
    // An element may be a block by its style.
    if (block !== this.#block) this.#startBlock(block);
    this.#block = block;
    const written = this.#html.slice(start, end);
    this.#add(references ? decodeHTML(written) : written, (this.#spans.keeps[this.#span] ?? 0) & KEEP.lines);
  }

  #startBlock(block: number): void {
    if (this.#pre !== null) this.#afterEnd = this.#lineInPre() || this.#afterEnd;
    else if (!this.#isNextLine(block)) this.#endLine();
    else if (!this.#broken) this.#break();
    const step = this.#before?.get(block);
    if (step !== undefined) this.#between(step);
    this.#quote(block);
  }

  /** Begins or ends a quote at a block. */
  #quote(block: number): void {
    const isQuoted = this.#isQuoted(block) && (this.#inQuote || !this.#writer.isInQuote);
    if (isQuoted === this.#inQuote) return;
    this.#between(() => (isQuoted ? this.#writer.begin(QUOTE, 'quote') : this.#writer.end(QUOTE)));
    this.#inQuote = isQuoted;
  }

  /** Writes something between two blocks, inside an element that may be open. */
  #between(write: () => void): void {
    const level = this.#level;
    const link = this.#link;
    this.#flush();
    write();
    this.#level = level;
    if (link !== null) this.#link = { at: 0, href: link.href };
  }

  /** Is it a further line of the paragraph that is open? */
  #isNextLine(block: number): boolean {
    return block === this.#block + 1 && this.#gaps[block] === NEXT_LINE && this.#level === 0 && this.#line.length > 0;
  }

  startTag(start: number, end: number): void {
    this.#tag = TAGS.get(this.#html.slice(start, end).toLowerCase()) ?? null;
    this.#attributes.clear();
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (this.#tag === null || nameEnd - nameStart > LONGEST_WANTED) return;
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    if (!WANTED_ATTRIBUTES.has(name) || this.#attributes.has(name)) return;
    this.#attributes.set(name, decodeHTMLAttribute(this.#html.slice(valueStart, valueEnd)));
  }

  startTagEnd(): ContentModel {
    if (this.#tag !== null) this.#open(this.#tag);
    this.#answered += 1;
    return CONTENT_MODELS[this.#spans.contents[this.#answered - 1] ?? 0] ?? 'data';
  }

  endTag(start: number, end: number): void {
    const tag = TAGS.get(this.#html.slice(start, end).toLowerCase());
    if (tag !== undefined) this.#close(tag);
  }

  /** Was it text in the first pass, in a kept block? */
  #isVisible(start: number): boolean {
    const { starts, blocks } = this.#spans;
    while (this.#span < starts.length && (starts[this.#span] ?? 0) < start) this.#span += 1;
    const isSeen = starts[this.#span] === start;
    this.#next = this.#span + Number(isSeen);
    return isSeen && this.#isKept(blocks[this.#span] ?? -1);
  }

  // Text.

  /** @param keepsLines whether its line ends are those of the page */
  #add(text: string, keepsLines: number): void {
    if (this.#pre !== null) this.#addToPre(this.#pre, text);
    else if (this.#formula !== null) this.#formula.push(text);
    else if (keepsLines !== 0 && LINE_END.test(text)) this.#addLines(text.split(LINE_END));
    else if (this.#code !== null) this.#code.push(text);
    else
      this.#addWords(
        this.#writer.text(spelled(text.replaceAll(NO_TEXT, '').replaceAll(SPACES, ' '), this.#spaced ? '' : this.#line.at(-1))),
      );
  }

  #addLines(lines: readonly string[]): void {
    for (const [i, line] of lines.entries()) {
      if (i > 0) this.#break();
      if (line.trim() !== '') this.#add(line, 0);
    }
  }

  /** Highlighters put each line into an element, and its line end inside or behind it. */
  #addToPre(pre: string[], text: string): void {
    pre.push(this.#afterEnd ? text.replace(TO_LINE_END, '') : text);
    if (text.trim() !== '' || LINE_END.test(text)) this.#afterEnd = false;
  }

  /** The end of a block, which is none of a heading or a cell. */
  #endLine(): void {
    if (this.#line.length === 0 && (this.#code?.length ?? 0) === 0) return;
    const level = this.#level;
    const link = this.#link;
    this.#flush();
    this.#level = level;
    if (link !== null) this.#link = { at: 0, href: link.href };
  }

  #addWords(words: string): void {
    const text = this.#spaced ? words.trimStart() : words;
    if (text === '') return;
    this.#line.push(text);
    this.#spaced = text.endsWith(' ');
    this.#broken = false;
  }

  #break(): void {
    if (this.#pre !== null) this.#pre.push('\n');
    else if (this.#broken) this.#flush();
    else if (this.#line.length > 0) {
      this.#endCode();
      this.#line.push('\n');
      this.#spaced = this.#broken = true;
    }
  }

  /** Ends the paragraph or heading, or the part of it in a cell. */
  #flush(): void {
    this.#endFormula();
    this.#endCode();
    this.#endLink();
    const text = this.#line.join('').trim();
    this.#line = [];
    this.#spaced = true;
    this.#broken = false;
    if (text === '') return;
    const cell = this.#rows?.at(-1);
    if (cell !== undefined && cell.length > 0) this.#addToCell(cell, text);
    else if (this.#level > 0) this.#writer.heading(this.#level, text);
    else this.#writer.paragraph(text);
    this.#level = 0;
  }

  /** A second paragraph in a cell shows that the table is only layout. */
  #addToCell(row: string[], text: string): void {
    if (row.at(-1) === '') row[row.length - 1] = text;
    else {
      this.#unmakeTable();
      this.#writer.paragraph(text);
    }
  }

  // Elements.

  #open(tag: Tag): void {
    const { name, kind } = tag;
    if (kind === 'break') this.#break();
    else if (name === 'button') return;
    else if (CODE.has(name)) this.#openCode();
    else if (name === 'math') this.#openFormula();
    else if (name === 'a') this.#openLink();
    else if (kind === 'block' || kind === 'cell') this.#openBlock(name);
  }

  #openBlock(name: string): void {
    if (this.#pre !== null) {
      this.#edgeInPre(name);
      this.#afterEnd = false;
      return;
    }
    this.#edge(name);
    if (NOT_IN_TABLES.has(name) && this.#rows !== null) this.#unmakeTable();
    if (HEADING.test(name)) this.#level = Number(name[1]);
    else if (name === 'ul' || name === 'dl' || name === 'menu' || name === 'dir') this.#writer.begin(name, 'bullets');
    else if (name === 'ol') this.#writer.begin(name, 'numbers', this.#startNumber());
    else if (name === 'blockquote') this.#writer.begin(name, 'quote');
    else if (name === 'li' || name === 'dt') this.#writer.item();
    else if (name === 'dd') this.#writer.inItem();
    else if (PREFORMATTED.has(name)) this.#openPre();
    else if (name === 'table') this.#rows = [];
    else if (name === 'tr') this.#rows?.push([]);
    else if (name === 'td' || name === 'th') this.#openCell();
  }

  #close(tag: Tag): void {
    const { name, kind } = tag;
    if (kind === 'break') this.#break();
    else if (name === 'button') return;
    else if (CODE.has(name)) this.#endCode();
    else if (name === 'math') this.#endFormula();
    else if (name === 'a') this.#endLink();
    else if (PREFORMATTED.has(name)) this.#endPre();
    else if (kind !== 'block' && kind !== 'cell') return;
    else if (this.#pre !== null) {
      this.#edgeInPre(name);
      this.#afterEnd = true;
    } else {
      this.#edge(name);
      this.#level = 0;
      if (name === 'table') this.#endTable();
      else if (name !== 'li') this.#writer.end(name);
    }
  }

  /** The start or the end of an element: of a line of the paragraph, or of the whole of it. */
  #edge(name: string): void {
    const block = this.#spans.blocks[this.#next] ?? -1;
    if (!PLAIN.has(name) || !this.#isKept(block) || !this.#isNextLine(block)) this.#flush();
    else if (!this.#broken) this.#break();
  }

  #startNumber(): number {
    const start = Number(this.#attributes.get('start') ?? 1);
    return Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1;
  }

  // Code.

  #openCode(): void {
    if (this.#pre === null) this.#code ??= [];
    else if (this.#language === '') this.#language = languageOf(this.#attributes.get('class'));
  }

  #endCode(): void {
    if (this.#code === null) return;
    const text = this.#code.join('').replaceAll(SPACES, ' ');
    this.#code = null;
    if (text.trim() === '') this.#addWords(text);
    else {
      if (text.startsWith(' ')) this.#addWords(' ');
      this.#addWords(this.#writer.codeSpan(text.trim()));
      if (text.endsWith(' ')) this.#addWords(' ');
    }
  }

  /** A formula in code is code. */
  #openFormula(): void {
    if (this.#pre !== null || this.#code !== null || this.#formula !== null) return;
    this.#formula = [];
    this.#isDisplay = this.#attributes.get('display') === 'block';
  }

  #endFormula(): void {
    const text = this.#formula?.join('').replaceAll(SPACES, ' ').trim() ?? '';
    this.#formula = null;
    if (text !== '') this.#addWords(this.#writer.formula(text, this.#isDisplay));
  }

  #openPre(): void {
    this.#pre = [];
    this.#afterEnd = false;
    this.#language = languageOf(this.#attributes.get('class'));
  }

  /** Cells of a row are in one line, unless they are long. */
  #edgeInPre(name: string): void {
    if ((name === 'td' || name === 'th') && this.#spans.blocks[this.#next] === this.#block) this.#pre?.push('\t');
    else this.#lineInPre();
  }

  /** @returns whether a line ended here */
  #lineInPre(): boolean {
    const last = this.#pre?.at(-1);
    if (last === undefined || last.endsWith('\n')) return false;
    this.#pre?.push('\n');
    return true;
  }

  #endPre(): void {
    if (this.#pre === null) return;
    const text = this.#pre.join('').replaceAll(LINE_ENDS, '\n').replace(/^\n+/, '').trimEnd();
    this.#pre = null;
    if (text.trim() !== '') this.#writer.preformatted(text, this.#language);
  }

  // Links.

  #openLink(): void {
    this.#endLink();
    const href = this.#attributes.get('href');
    if (href === undefined || this.#linkBase === null || this.#code !== null) return;
    const url = resolveLink(href, this.#linkBase);
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return;
    this.#link = { at: this.#line.length, href: url.href };
  }

  #endLink(): void {
    if (this.#link === null) return;
    this.#endCode();
    const { at, href } = this.#link;
    this.#link = null;
    const written = this.#line.splice(at).join('');
    const text = written.trim();
    if (text === '') {
      if (written !== '') this.#line.push(written);
      return;
    }
    const link = this.#writer.link(text.replaceAll(/\s+/g, ' '), href);
    this.#line.push(`${written.startsWith(' ') ? ' ' : ''}${link}${this.#spaced ? ' ' : ''}`);
  }

  // Tables.

  #openCell(): void {
    if (this.#rows === null) return;
    const row = this.#rows.at(-1);
    if (row === undefined) this.#rows.push(['']);
    else if (row.length < MAX_CELLS) row.push('');
    else this.#unmakeTable();
  }

  /** Turns a table that was none into paragraphs: its cells, and the rest. */
  #unmakeTable(): void {
    const rows = this.#rows ?? [];
    this.#rows = null;
    for (const cell of rows.flat()) if (cell !== '') this.#writer.paragraph(cell);
  }

  #endTable(): void {
    const rows = (this.#rows ?? []).filter((row) => row.some((cell) => cell !== ''));
    this.#rows = null;
    if (rows.length > 1 && rows.some((row) => row.filter((cell) => cell !== '').length > 1)) this.#writer.table(rows);
    else for (const row of rows) this.#writer.paragraph(row.filter((cell) => cell !== '').join(' '));
  }
}

/** The language in a class name, as highlighters write it: `language-ts`, `lang-ts`, `highlight-source-ts`. */
function languageOf(classes: string | undefined): string {
  return (
    /(?:^|\s)(?:language|lang|highlight-source|brush:)[-:\s]?([a-z0-9+#-]{1,20})(?:\s|$)/i.exec(classes ?? '')?.[1]?.toLowerCase() ?? ''
  );
}
