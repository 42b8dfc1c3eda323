import { InvariantError } from '../../base/core/errors.ts';
import {
  type Block,
  LINE,
  LINE_SIZE,
  type LinkSighting,
  listPartOf,
  PART,
  type PageContent,
  templatePathOf,
  wholeOf,
} from '../extract/blocks.ts';
import type { Declarations } from '../extract/declarations.ts';
import type { LineNotes } from '../extract/line-notes.ts';
import { KNOWN_TAGS } from './core-tables.ts';
import type { WasmCore } from './wasm-core.ts';

/** Sizes of a block and of a tag, in numbers of 32 bits. */
const BLOCK_SIZE = 18;
const TAG_SIZE = 16;

type Read = Omit<PageContent, keyof Declarations | 'blocks' | 'parents' | 'lines' | 'lineNotes'>;

/** A page that the core has parsed. Most pages need no more of their blocks than `lines`: blocks and their tree are read from the core when asked for. */
export class CoreContent implements PageContent {
  readonly text: string;
  readonly links: readonly LinkSighting[];
  readonly title: string;
  readonly heading: string;
  readonly warnings: readonly string[];
  readonly signs: number;
  readonly metas: PageContent['metas'];
  readonly lang: PageContent['lang'];
  readonly baseHref: PageContent['baseHref'];
  readonly canonicalHref: PageContent['canonicalHref'];
  readonly licenceLinks: PageContent['licenceLinks'];
  readonly alternates: PageContent['alternates'];
  readonly nextHrefs: PageContent['nextHrefs'];
  readonly feedHrefs: PageContent['feedHrefs'];
  readonly jsonLd: PageContent['jsonLd'];
  readonly rsl: PageContent['rsl'];
  readonly lines: Int32Array;
  readonly lineNotes: LineNotes;
  readonly #core: WasmCore;
  #blocks: readonly Block[] | null = null;
  #parents: readonly number[] | null = null;

  constructor(core: WasmCore, read: Read, declared: Declarations) {
    this.#core = core;
    this.text = read.text;
    this.links = read.links;
    this.title = read.title;
    this.heading = read.heading;
    this.warnings = read.warnings;
    this.signs = read.signs;
    this.metas = declared.metas;
    this.lang = declared.lang;
    this.baseHref = declared.baseHref;
    this.canonicalHref = declared.canonicalHref;
    this.licenceLinks = declared.licenceLinks;
    this.alternates = declared.alternates;
    this.nextHrefs = declared.nextHrefs;
    this.feedHrefs = declared.feedHrefs;
    this.jsonLd = declared.jsonLd;
    this.rsl = declared.rsl;
    this.lines = linesIn(core);
    this.lineNotes = lineNotesIn(core);
  }

  /** @throws InvariantError when asked for first after the core has parsed another page */
  get blocks(): readonly Block[] {
    this.#blocks ??= blocksIn(this.#held());
    return this.#blocks;
  }

  /** @throws InvariantError when asked for first after the core has parsed another page */
  get parents(): readonly number[] {
    this.#parents ??= parentsIn(this.#held());
    return this.#parents;
  }

  /** Reads all that is in the core alone, before it is lost. */
  keep(): void {
    void this.blocks;
    void this.parents;
  }

  #held(): WasmCore {
    if (this.#core.content !== this) throw new InvariantError('blocks of a page that has left the core');
    return this.#core;
  }
}

/** The name of a tag of the page in the core. */
export function nameOfTag({ memory }: WasmCore, tag: number): string {
  const known = KNOWN_TAGS[tag];
  if (known !== undefined) return known.name;
  const at = (memory.core.tagsAt() >> 2) + TAG_SIZE * tag;
  return memory.textAt(memory.ints[at + 5] as number, memory.ints[at + 6] as number);
}

function linesIn({ memory }: WasmCore): Int32Array {
  const { core, ints } = memory;
  const count = core.blockCount.value;
  const lines = new Int32Array(LINE_SIZE * count);
  const parents = ints.subarray(core.parents.value >> 2);
  let at = core.blocks.value >> 2;
  for (let line = 0; line < lines.length; line += LINE_SIZE, at += BLOCK_SIZE) {
    const part = PART_OF_TAG[ints[at + 8] as number] ?? PART.none;
    lines[line + LINE.start] = ints[at] as number;
    lines[line + LINE.end] = ints[at + 1] as number;
    lines[line + LINE.flags] = ints[at + 7] as number;
    lines[line + LINE.halfWords] = ints[at + 2] as number;
    lines[line + LINE.linkHalfWords] = ints[at + 3] as number;
    lines[line + LINE.part] = part;
    lines[line + LINE.whole] = wholeOf(part, ints[at + 9] as number, parents);
    lines[line + LINE.place] = templatePathOf(ints[at + 11] as number, ints[at + 12] as number);
  }
  return lines;
}

const PART_OF_TAG = KNOWN_TAGS.map(({ name }) => listPartOf(name));

function lineNotesIn({ memory }: WasmCore): LineNotes {
  const { core, ints, bytes } = memory;
  const runs = core.lineNotes.value >> 2;
  const blanks = core.blanks.value;
  const gaps = core.gaps.value;
  return {
    runs: ints.slice(runs, runs + 2 * core.lineNoteCount.value),
    blanks: bytes.toString('latin1', blanks, blanks + core.blankCount.value),
    gaps: new Uint8Array(bytes.subarray(gaps, gaps + core.blockCount.value)),
  };
}

function parentsIn({ memory }: WasmCore): number[] {
  const { core, ints } = memory;
  const at = core.parents.value >> 2;
  const count = core.nodeCount.value;
  const nodes = new Array<number>(count);
  for (let node = 0; node < count; node++) nodes[node] = ints[at + node] as number;
  return nodes;
}

function blocksIn(owner: WasmCore): Block[] {
  const { core, ints } = owner.memory;
  const blocks: Block[] = [];
  let at = core.blocks.value >> 2;
  for (let left = core.blockCount.value; left > 0; left -= 1, at += BLOCK_SIZE) {
    const tag = ints[at + 8] as number;
    blocks.push({
      start: ints[at] as number,
      end: ints[at + 1] as number,
      words: (ints[at + 2] as number) / 2,
      linkWords: (ints[at + 3] as number) / 2,
      blockTags: ints[at + 4] as number,
      inlineTags: ints[at + 5] as number,
      sentenceEnds: ints[at + 6] as number,
      flags: ints[at + 7] as number,
      details: {
        tag: tag < 0 ? '' : nameOfTag(owner, tag),
        node: ints[at + 9] as number,
        depth: ints[at + 10] as number,
        tagPath: ints[at + 11] as number,
        classPath: ints[at + 12] as number,
        near: ints[at + 13] as number,
        capitals: ints[at + 14] as number,
        marks: ints[at + 15] as number,
        hash: ints[at + 16] as number,
      },
    });
  }
  return blocks;
}
