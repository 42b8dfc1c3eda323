/**
 * Declarative shadow roots (HTML Standard §4.12.3, `shadowrootmode`) put where browsers render them: the root's content in its host, and the children of
 * the host in its slots. Children without a slot are not rendered. The result is HTML for any parser.
 */
import { TagSink } from './tag-sink.ts';
import { knownTags } from './tags.ts';
import { type ContentModel, tokenize } from './tokenizer.ts';

const MODES = new Set(['open', 'closed']);
/** Roots inside more roots are left alone. */
const MAX_ROOTS = 50;
/** Deeper elements are not told apart: see `MAX_DEPTH` of the parser. */
const MAX_OPEN = 4_096;
const TAGS = knownTags();

type Piece = string | Root | Slot;

/** The content of a shadow root, and the children of its host by the names of their slots. */
interface Root {
  readonly kind: 'root';
  readonly content: Piece[];
  readonly assigned: Map<string, Piece[]>;
}

interface Slot {
  readonly kind: 'slot';
  readonly root: Root;
  readonly name: string;
  /** Rendered if nothing is assigned. */
  readonly fallback: Piece[];
}

/** An open element. */
interface Open {
  readonly name: string;
  /** Shadow root of the element. */
  root: Root | null;
  /** The root that it is the template of. */
  readonly templateOf: Root | null;
  /** Whether its tags are not written: a template of a root, a slot. */
  readonly isBare: boolean;
  /** Pieces to write after its end. */
  readonly after: Piece[];
}

/** The page with its shadow roots rendered. O(length). */
export function withShadowRoots(html: string): string {
  const flattener = new Flattener(html);
  tokenize(html, flattener);
  return flattener.finish();
}

class Flattener extends TagSink {
  readonly #page: Piece[] = [];
  #out = this.#page;
  /** Everything before is written. */
  #from = 0;
  readonly #open: Open[] = [];
  readonly #roots: Root[] = [];

  finish(): string {
    this.#writeTo(this.html.length);
    return rendered(this.#page);
  }

  override text(start: number, end: number): void {
    const root = this.#open.at(-1)?.root;
    const text = root ? this.html.slice(start, end) : '';
    if (!root || text.trim() === '') return;
    this.#writeTo(start);
    assignedTo(root, '').push(text);
    this.#from = end;
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    const tag = TAGS.get(this.name);
    this.#writeTo(this.tagStart);
    while (tag?.closes.has(this.#open.at(-1)?.name ?? '')) this.#pop();
    const after = this.#out;
    this.#toSlot();
    const isForeign = this.foreign > 0 || this.name === 'svg' || this.name === 'math';
    const isEmpty = tag?.isVoid || (selfClosing && isForeign);
    if (!isEmpty && this.#open.length < MAX_OPEN) this.#push(after);
    else if (this.#out !== after) {
      this.#writeTo(this.tagEnd);
      this.#out = after;
    }
    return isForeign ? 'data' : (tag?.content ?? 'data');
  }

  override endTag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const index = this.#open.findLastIndex((open) => open.name === name || open.templateOf !== null);
    if (index < 0) return;
    this.#writeTo(start - 2);
    const after = this.behindTag(end);
    // An end tag does not reach out of a root.
    const isOutside = this.#open[index]?.name !== name;
    while (!isOutside && this.#open.length > index + 1) this.#end();
    if (isOutside || this.#open[index]?.isBare) this.#from = after;
    else this.#writeTo(after);
    if (!isOutside) this.#pop();
  }

  /** Ends an element that has no end tag. */
  #end(): void {
    const open = this.#open.at(-1);
    if (open !== undefined && !open.isBare) this.#out.push(`</${open.name}>`);
    this.#pop();
  }

  /** The children of a host are written into its slots. */
  #toSlot(): void {
    const root = this.#open.at(-1)?.root;
    if (root) this.#out = assignedTo(root, this.valueOf('slot'));
  }

  #push(after: Piece[]): void {
    const host = this.#open.at(-1);
    const isRoot = this.name === 'template' && MODES.has(this.valueOf('shadowrootmode').toLowerCase());
    const templateOf = isRoot && host !== undefined && host.root === null && this.#roots.length < MAX_ROOTS ? newRoot() : null;
    const root = this.#roots.at(-1);
    const slot = this.name === 'slot' && root ? newSlot(root, this.valueOf('name')) : null;
    this.#open.push({ name: this.name, root: null, templateOf, isBare: templateOf !== null || slot !== null, after });
    if (this.name === 'svg' || this.name === 'math') this.foreign += 1;
    if (templateOf !== null && host !== undefined) {
      host.root = templateOf;
      this.#roots.push(templateOf);
      this.#enter(templateOf, templateOf.content);
    } else if (slot !== null) this.#enter(slot, slot.fallback);
  }

  /** The tag is not written; its place is that of `piece`. */
  #enter(piece: Piece, content: Piece[]): void {
    this.#out.push(piece);
    this.#out = content;
    this.#from = this.tagEnd;
  }

  #pop(): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    if (open.name === 'svg' || open.name === 'math') this.foreign -= 1;
    if (open.templateOf !== null) this.#roots.pop();
    this.#out = open.after;
  }

  #writeTo(end: number): void {
    if (end > this.#from) this.#out.push(this.html.slice(this.#from, end));
    this.#from = Math.max(this.#from, end);
  }
}

function newRoot(): Root {
  return { kind: 'root', content: [], assigned: new Map() };
}

function newSlot(root: Root, name: string): Slot {
  return { kind: 'slot', root, name, fallback: [] };
}

function assignedTo({ assigned }: Root, slot: string): Piece[] {
  const known = assigned.get(slot);
  if (known !== undefined) return known;
  const pieces: Piece[] = [];
  assigned.set(slot, pieces);
  return pieces;
}

/** All pieces in their places; the first slot of a name has the children that are assigned to it. */
function rendered(page: readonly Piece[]): string {
  const out: string[] = [];
  const waiting: Piece[] = [...page].reverse();
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === 'string') {
      out.push(piece);
      continue;
    }
    const inside = piece.kind === 'root' ? piece.content : (piece.root.assigned.get(piece.name) ?? piece.fallback);
    if (piece.kind === 'slot') piece.root.assigned.delete(piece.name);
    for (let i = inside.length - 1; i >= 0; i -= 1) waiting.push(inside[i] ?? '');
  }
  return out.join('');
}
