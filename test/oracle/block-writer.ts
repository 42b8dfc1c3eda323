import { type Block, type BlockDetails, NO_DETAILS } from '../../src/reading/extract/blocks.ts';
import { MAX_BLOCKS } from '../../src/reading/extract/html-parser.ts';
import type { LineNotes } from '../../src/reading/extract/line-notes.ts';
import { FLAG, type TagKind } from '../../src/reading/extract/tags.ts';
import { type ElementStack, NOWHERE, type Place } from './element-stack.ts';
import { TextBuffer } from './text-buffer.ts';

/** A cell of at most this many half words is joined to its neighbours: a row of a reference table is one line. */
const SHORT_CELL = 16;

/** Cuts the text of a page into blocks as it arrives, and counts the elements between and inside them. */
export class BlockWriter {
  readonly #text = new TextBuffer();
  readonly #detailed: boolean;
  #blocks: Block[] = [];
  #flags = 0;
  #place: Place | null = null;
  #linkHalfWords = 0;
  #blockTags = 0;
  #inlineTags = 0;
  #breakAt = -1;
  #isFull = false;

  /** @param detailed whether blocks get the details that only the block model reads: place, characters and hash. */
  constructor(detailed: boolean) {
    this.#detailed = detailed;
  }

  /** Starts a page of about `capacity` UTF-16 units. */
  start(capacity: number): void {
    this.#text.reset(capacity);
    this.#blocks = [];
    this.#flags = this.#linkHalfWords = this.#blockTags = this.#inlineTags = 0;
    this.#breakAt = -1;
    this.#isFull = false;
  }

  /** Length of the text so far. */
  get length(): number {
    return this.#text.length;
  }

  /** Length of the text of the current block. */
  get blockLength(): number {
    return this.#text.length - this.#text.blockStart;
  }

  /** Is the last word of the current block followed by no stop? */
  get isInSentence(): boolean {
    return this.#text.isInSentence;
  }

  /** Index of the current block. */
  get blockCount(): number {
    return this.#blocks.length;
  }

  /** Whether there were more blocks than `MAX_BLOCKS`; the last contains the rest. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Text inside `stack`. A block has the flags and the place at the start of its text. */
  write(source: Uint16Array, start: number, end: number, stack: ElementStack, inLink: boolean): void {
    const text = this.#text;
    const before = text.halfWords;
    const hadText = text.hasText;
    text.write(source, start, end, (stack.flags & FLAG.pre) !== 0, stack.keeps);
    if (!hadText && text.hasText) {
      this.#flags = stack.flags;
      if (this.#detailed) this.#place = stack.place();
    }
    if (inLink) this.#linkHalfWords += text.halfWords - before;
  }

  /** A start or end tag: cuts by its kind, then counts. */
  tag(kind: TagKind, edge: number, isEnd: boolean): void {
    this.cut(kind, edge, isEnd);
    this.count(kind);
  }

  cut(kind: TagKind, edge: number, isEnd: boolean): void {
    if (kind === 'block') {
      this.endBlock();
      this.#text.notes.edge(edge, isEnd);
    } else if (kind === 'cell') this.#cellEdge(edge, isEnd);
  }

  count(kind: TagKind): void {
    if (kind === 'block' || kind === 'cell') this.#blockTags += 1;
    else this.#inlineTags += 1;
  }

  /** Long cells and cells with several lines are blocks; short ones are joined. */
  #cellEdge(edge: number, isEnd: boolean): void {
    if (this.#text.halfWords > SHORT_CELL || this.#breakAt >= this.#text.blockStart) this.endBlock();
    else this.#text.space();
    if (this.#text.hasText) this.#text.notes.cell();
    else this.#text.notes.edge(edge, isEnd);
  }

  /** A `<br>`: white space, and the end of the block if the previous token was also a `<br>`. */
  lineBreak(): void {
    this.#inlineTags += 1;
    if (this.#breakAt === this.#text.length) this.endBlock();
    else this.#text.space();
    this.#breakAt = this.#text.length;
    this.#text.notes.break();
  }

  endBlock(): void {
    if (!this.#text.hasText) return;
    if (this.#blocks.length < MAX_BLOCKS - 1) this.#push();
    else {
      this.#isFull = true;
      this.#text.space();
    }
  }

  /** Ends the last block. @returns the text of the page and its blocks. */
  finish(): { readonly text: string; readonly blocks: readonly Block[]; readonly lineNotes: LineNotes } {
    if (this.#text.hasText) this.#push();
    return { text: this.#text.text(), blocks: this.#blocks, lineNotes: this.#text.notes.finish(this.#blocks.length) };
  }

  #push(): void {
    const text = this.#text;
    this.#blocks.push({
      start: text.blockStart,
      end: text.length,
      words: text.halfWords / 2,
      linkWords: this.#linkHalfWords / 2,
      blockTags: this.#blockTags,
      inlineTags: this.#inlineTags,
      sentenceEnds: text.closingSentenceEnds(),
      flags: this.#flags,
      details: this.#detailed ? this.#details() : NO_DETAILS,
    });
    text.startBlock();
    this.#linkHalfWords = this.#blockTags = this.#inlineTags = 0;
    this.#breakAt = -1;
  }

  /** Each field by its name: a spread costs as much as reading the block. */
  #details(): BlockDetails {
    const { tag, node, depth, tagPath, classPath, near } = this.#place ?? NOWHERE;
    const { capitals, marks, hash } = this.#text.lookAtBlock();
    return { tag, node, depth, tagPath, classPath, near, capitals, marks, hash };
  }
}
