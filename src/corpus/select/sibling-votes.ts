/**
 * Texts by the votes of siblings, the pages of a host. Blocks that a page alone omits are in its text if its siblings keep theirs at the same place; a line
 * that it alone keeps is not, if its siblings omit the same words there. Decided over all pages of a corpus at once, so neither the order of their visits
 * nor the moment of a crash changes a text.
 */
import type { CorpusRecord, CrawlRecord, SpareBlocks } from '../../base/core/types.ts';
import { lineHash, MAX_LABEL, pathOfPlace, placesOfPath } from '../../reading/extract/block-votes.ts';

/** Fewer pages with a place are no template. */
export const LEAST_PAGES = 5;
/**
 * Share of the pages that agree on the blocks of a place, as a fraction of whole numbers: no sum depends on the order of its parts. On 103 development pages of
 * 28 hosts the mean F1 falls by nothing with 2/3, 4/5 and 9/10; on manuals the first keeps twice as many of the blocks that the last keeps.
 */
const MOST = { these: 2, pages: 3 } as const;
/** Words that so many pages leave out at a place are a line of the template, unless twice as many keep them. */
const LEAST_LINES = 3;
/** Bits of a hash that count: a host takes some 100 MB at most. Hashes that agree in them share their votes, in each order of the pages. */
const HASH_BITS = 0xfffff;

/** Numbers of pages that keep and leave out each place or line, by its hash. */
class Counts {
  readonly #kept = new Map<number, number>();
  readonly #left = new Map<number, number>();

  add(kept: Iterable<number>, left: Iterable<number>): void {
    count(this.#kept, kept);
    count(this.#left, left);
  }

  of(hash: number): { readonly kept: number; readonly left: number } {
    const key = hash & HASH_BITS;
    return { kept: this.#kept.get(key) ?? 0, left: this.#left.get(key) ?? 0 };
  }
}

interface HostVotes {
  readonly places: Counts;
  readonly lines: Counts;
}

/** A block that the siblings of its page bring into its text, or take out of it, with the numbers of those that agree. */
export interface SiblingChange {
  readonly text: string;
  readonly isKept: boolean;
  readonly place: number;
  readonly agree: number;
  readonly pages: number;
}

interface Voter extends Pick<CrawlRecord, 'votes'> {
  readonly url: string;
}
type Texts = Pick<CorpusRecord, 'text' | 'otherText'>;

export class SiblingVotes {
  readonly #hosts = new Map<string, HostVotes>();

  /** Counts the votes of all pages. O(votes). */
  static async of(records: AsyncIterable<Voter>): Promise<SiblingVotes> {
    const votes = new SiblingVotes();
    for await (const record of records) votes.add(record);
    return votes;
  }

  add({ url, votes }: Voter): void {
    if (votes === undefined) return;
    const { places, lines } = this.#hostOf(url);
    places.add(votes.kept, votes.left);
    lines.add(votes.lines, new Set(votes.spare.lines));
  }

  /** The record with the texts of `textsOf`, and without its votes. O(text). */
  present(record: CrawlRecord): CorpusRecord {
    if (record.votes === undefined) return record;
    const { votes: _, otherText: __, ...rest } = record;
    return { ...rest, ...this.textsOf(record) };
  }

  /** The texts of a page with the blocks that its siblings keep, and without the lines that they leave out. */
  textsOf(page: Voter & Texts): Texts {
    const { whole, kept, left } = this.#changes(page);
    const gone = new Set(kept.flatMap(({ other, height }) => Array.from({ length: height }, (_, i) => other + i)));
    const others = linesOf(page.otherText).filter((_, i) => !gone.has(i));
    const otherText = [...others, ...left.map(({ line }) => line)].join('\n');
    return { text: left.reduce((text, { line }) => withoutLine(text, line), whole), ...(otherText !== '' && { otherText }) };
  }

  /** The changes that `present` makes to a page. */
  explain(page: Voter & Texts): SiblingChange[] {
    const { kept, left } = this.#changes(page);
    return [
      ...kept.map(({ place, text }) => this.#change(page.url, place, text, true)),
      ...left.map(({ place, line }) => this.#change(page.url, place, line, false)),
    ];
  }

  #changes(page: Voter & Texts) {
    const kept = this.#keptOf(page);
    const whole = kept.length === 0 ? page.text : withSpare(page.text, kept);
    return { whole, kept: kept.filter(({ isKept }) => isKept), left: this.#leftIn(whole, page) };
  }

  #change(url: string, place: number, text: string, isKept: boolean): SiblingChange {
    const { kept, left } = this.#hostOf(url).places.of(place);
    return { text, isKept, place, agree: isKept ? kept : left, pages: kept + left };
  }

  /** The spare blocks of a page; [] if its siblings keep none. */
  #keptOf({ url, votes, otherText }: Voter & Texts): Spare[] {
    if (votes === undefined) return [];
    const { places, lines } = this.#hostOf(url);
    const { spare } = votes;
    const isKept = spare.places.map((place, i) => isContent(places, place) && !isTemplate(lines.of(spare.lines[i] ?? 0)));
    return isKept.includes(true) ? sparesOf(spare, linesOf(otherText), isKept) : [];
  }

  /** Lines of a text, no labels, that most siblings leave out at a place that the page keeps, if the text has them once. Never all lines. */
  #leftIn(text: string, { url, votes }: Voter): { readonly line: string; readonly place: number }[] {
    const { places, lines } = this.#hostOf(url);
    const doubtful = votes?.kept.filter((place) => isMost(places.of(place).left, places.of(place).kept)) ?? [];
    if (doubtful.length === 0) return [];
    const all = text.split('\n').filter((line) => line !== '');
    const found = all.flatMap((line) => {
      if (line.length <= MAX_LABEL) return [];
      const place = doubtful.find((one) => lines.of(lineHash(line, 0, line.length, pathOfPlace(one))).left >= LEAST_PAGES);
      return place === undefined ? [] : [{ line, place }];
    });
    return found.length === all.length ? [] : found.filter(({ line }) => all.indexOf(line) === all.lastIndexOf(line));
  }

  #hostOf(url: string): HostVotes {
    const { host } = new URL(url);
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const votes = { places: new Counts(), lines: new Counts() };
    this.#hosts.set(host, votes);
    return votes;
  }
}

type Votes = ReturnType<Counts['of']>;

/** Do siblings keep the blocks of a place? Or those of its path, and at least half of those of the place? */
function isContent(places: Counts, place: number): boolean {
  const { kept, left } = places.of(place);
  return isMost(kept, left) || (kept >= left && isMostOfPath(places, pathOfPlace(place)));
}

function isMostOfPath(places: Counts, path: number): boolean {
  const votes = placesOfPath(path).map((place) => places.of(place));
  const sum = (what: keyof Votes, of: readonly Votes[]) => of.reduce((total, one) => total + one[what], 0);
  // A page has either one block of a path, or a first one.
  const pages = votes.slice(0, 2);
  return sum('kept', pages) + sum('left', pages) >= LEAST_PAGES && isMost(sum('kept', votes), sum('left', votes));
}

function isMost(these: number, others: number): boolean {
  return these + others >= LEAST_PAGES && MOST.pages * these >= MOST.these * (these + others);
}

function isTemplate({ kept, left }: Votes): boolean {
  return left >= LEAST_LINES && kept < 2 * left;
}

function count(pages: Map<number, number>, hashes: Iterable<number>): void {
  for (const hash of hashes) pages.set(hash & HASH_BITS, (pages.get(hash & HASH_BITS) ?? 0) + 1);
}

/** A spare block of a page. */
interface Spare {
  readonly place: number;
  readonly after: number;
  readonly before: number;
  readonly gapBefore: number;
  readonly gapBehind: number;
  readonly other: number;
  readonly height: number;
  readonly text: string;
  /** Do the siblings keep it? */
  readonly isKept: boolean;
}

function sparesOf(spare: SpareBlocks, otherLines: readonly string[], isKept: readonly boolean[]): Spare[] {
  return spare.places.map((place, i) => {
    const other = spare.others[i] ?? 0;
    const height = spare.heights[i] ?? 1;
    return {
      place,
      after: spare.after[i] ?? 0,
      before: spare.before[i] ?? 0,
      gapBefore: spare.gapsBefore[i] ?? 0,
      gapBehind: spare.gapsBehind[i] ?? 0,
      other,
      height,
      text: spare.texts[i] || otherLines.slice(other, other + height).join('\n'),
      isKept: isKept[i] === true,
    };
  });
}

/** The text with the spare blocks that siblings keep, as `linedText` writes it. */
function withSpare(text: string, spare: readonly Spare[]): string {
  const parts: string[] = [];
  let from = 0;
  let gap = 0;
  const add = (part: string) => {
    if (parts.length > 0) parts.push('\n'.repeat(gap));
    parts.push(part);
    gap = 0;
  };
  for (const { after, before, gapBefore, gapBehind, text: own, isKept } of spare) {
    if (after > from) add(text.slice(from, after));
    gap = Math.max(gap, gapBefore);
    if (isKept) add(own);
    gap = Math.max(gap, gapBehind);
    from = before;
  }
  if (from < text.length) add(text.slice(from));
  return parts.join('');
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split('\n');
}

/** The text without a line of its own, and with the wider one of the gaps around it. */
function withoutLine(text: string, line: string): string {
  const start = `\n${text}\n`.indexOf(`\n${line}\n`);
  const before = text.slice(0, start).replace(/\n+$/, '');
  const after = text.slice(start + line.length).replace(/^\n+/, '');
  if (before === '' || after === '') return before + after;
  const gap = Math.max(start - before.length, text.length - start - line.length - after.length);
  return before + '\n'.repeat(gap) + after;
}
