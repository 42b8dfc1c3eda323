/** Pairs of a specification in the main text: rows of two cells, terms with their definitions, lists of `Weight: 2 kg`. */
import type { ProductProperty } from '../../base/core/types.ts';
import { LINE, lineNumber, lineText, PART, type PageContent, STOPS } from './blocks.ts';
import { linedBlock } from './line-notes.ts';
import { ROLE } from './main-text.ts';
import { property } from './product-parts.ts';

/** Pairs of one page: data sheets have some dozens. */
export const MAX_PAIRS = 200;
/** Longer names are sentences. */
const MAX_NAME_CHARS = 60;
/** A list has so many pairs at least, and so large a share of them: a single colon is part of a sentence. */
const LEAST_ITEMS = 2;
const LEAST_SHARE = 0.6;
/** A longer value of a list, or one that ends with a stop, is a sentence after a heading. */
const MAX_VALUE_CHARS = 100;
const PAIR = /^([^:：]{1,60})[:：]\s*(\S[\s\S]*)$/;
/** An amount of an ingredient, a time or an address is no name. */
const NO_NAME = /^(?:\d+|https?)$/i;

/** The pairs in blocks of the main text, in their order. O(blocks). */
export function pairsInText(page: PageContent, roles: Uint8Array): readonly ProductProperty[] {
  const found: ProductProperty[] = [];
  for (const blocks of wholesOf(page, roles)) {
    if (found.length >= MAX_PAIRS) break;
    found.push(...pairsOf(page, blocks));
  }
  return found.slice(0, MAX_PAIRS);
}

/** The blocks of each table and list in the text. */
function wholesOf({ lines }: PageContent, roles: Uint8Array): Iterable<readonly number[]> {
  const wholes = new Map<number, number[]>();
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] !== ROLE.text || lineNumber(lines, i, LINE.part) === PART.none) continue;
    const whole = lineNumber(lines, i, LINE.whole);
    const blocks = wholes.get(whole);
    if (blocks === undefined) wholes.set(whole, [i]);
    else blocks.push(i);
  }
  return wholes.values();
}

function pairsOf(page: PageContent, blocks: readonly number[]): readonly ProductProperty[] {
  const part = lineNumber(page.lines, blocks[0] ?? 0, LINE.part);
  if (part === PART.cell) return pairsOfTable(page, blocks);
  return part === PART.item ? pairsOfList(page, blocks) : pairsOfTerms(page, blocks);
}

/** Rows of two cells, in a table where most rows have two. A row of long cells has a block for each. */
function pairsOfTable(page: PageContent, blocks: readonly number[]): readonly ProductProperty[] {
  const rows = new Map<number, string>();
  for (const block of blocks) {
    const row = page.parents[page.blocks[block]?.details.node ?? 0] ?? 0;
    const text = linedBlock(page, block).replaceAll('\n', ' ').trim();
    rows.set(row, rows.has(row) ? `${rows.get(row)}\t${text}` : text);
  }
  const cells = Array.from(rows.values(), (row) => row.split('\t').map((cell) => cell.trim()));
  const pairs = cells.filter(({ length }) => length === 2).flatMap(([name = '', value = '']) => pairOf(name, value) ?? []);
  return pairs.length >= LEAST_SHARE * cells.length ? pairs : [];
}

/** Each term with its definitions; of several terms, the last one. */
function pairsOfTerms(page: PageContent, blocks: readonly number[]): readonly ProductProperty[] {
  const pairs: [name: string, values: string[]][] = [];
  for (const block of blocks) {
    const text = lineText(page, block);
    if (lineNumber(page.lines, block, LINE.part) === PART.term) pairs.push([text, []]);
    else pairs.at(-1)?.[1].push(text);
  }
  return pairs.flatMap(([name, values]) => pairOf(name, values.join(', ')) ?? []);
}

/** Items with a colon, in a list where most have one. */
function pairsOfList(page: PageContent, blocks: readonly number[]): readonly ProductProperty[] {
  const pairs = blocks.flatMap((block) => {
    const [, name = '', value = ''] = PAIR.exec(lineText(page, block)) ?? [];
    return value.length > MAX_VALUE_CHARS || isSentence(value) ? [] : (pairOf(name, value) ?? []);
  });
  return pairs.length >= Math.max(LEAST_ITEMS, LEAST_SHARE * blocks.length) ? pairs : [];
}

function isSentence(value: string): boolean {
  return STOPS.includes(value.at(-1) ?? '') && value.includes(' ');
}

function pairOf(name: string, value: string): ProductProperty | null {
  const plain = name.replace(/\s*[:：]\s*$/, '').trim();
  return plain.length > MAX_NAME_CHARS || NO_NAME.test(plain) ? null : property(plain, value);
}
