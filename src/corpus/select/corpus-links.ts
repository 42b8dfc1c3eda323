/**
 * The links of the pages of a corpus, read from its WARC records. Nothing else is read, and always by the default extractor: so a harvest of a crawl, and
 * a second one of that harvest, have the same links.
 */
import { grown } from '../../base/core/columns.ts';
import { DamageError, DataError, type OnDamaged } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import type { CanonicalUrl, Extraction, LinkZone, RecordId, Unit } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { withoutMail } from '../personal/mail-urls.ts';
import { readPagesOf } from '../records/kept-pages.ts';
import { byteLines } from '../records/records.ts';
import type { CorpusSource } from './corpus-source.ts';
import type { CorpusFileFacts } from './harvest-facts.ts';
import { HashedFile } from './hashed-file.ts';
import { jsonLine } from './json-line.ts';
import { PackedIds } from './packed-ids.ts';
import { pageRank } from './page-rank.ts';
import { withoutPersonal } from './personal-page.ts';
import { storedPage } from './stored-document.ts';

/** One link of a page: a row of `links.jsonl`, and of the table `links`. A page has at most one link to each target. */
export interface LinkRow {
  /** Record id and URL of the page. */
  readonly id: RecordId;
  readonly url: CanonicalUrl;
  readonly target: CanonicalUrl;
  /** Record id of the target if it is in the corpus, else null. A target that redirects to a page of the corpus is not that page. */
  readonly targetId: RecordId | null;
  /** Visible text, at most 200 characters; '' for an image or a link of the head. */
  readonly anchorText: string;
  /** Values of `rel`, as in HTML; [] without. */
  readonly rel: readonly string[];
  /** Whether `rel` says so, or a statement of the page about all its links. */
  readonly nofollow: boolean;
  readonly zone: LinkZone;
}

/** Counts of links for the card. */
export interface LinkFacts {
  readonly links: number;
  /** Links to other pages of the corpus. */
  readonly inside: number;
  /** Pages whose WARC record is damaged or missing, or whose body cannot be unpacked: their links are unknown. */
  readonly pagesWithout: number;
}

/** The pages of the corpus: number, id and URL. Ids and URLs are compared by 64-bit hashes. Memory: some 100 bytes a page, outside of the heap. */
export class LinkedPages {
  readonly #ids = new PackedIds();
  readonly #numbers = new UrlNumbers();
  readonly #urls = new UrlNumbers();
  /** Number of the page by entry of `#urls`. */
  #pages = new Uint32Array(0);

  /** @param page its id is not here yet */
  add({ id, url }: { readonly id: RecordId; readonly url: CanonicalUrl }): void {
    this.#numbers.of(id);
    const page = this.#ids.add(id);
    const entry = this.#urls.of(url);
    this.#pages = grown(this.#pages, entry + 1, Uint32Array);
    this.#pages[entry] = page;
  }

  get size(): number {
    return this.#numbers.size;
  }

  numberOf(id: RecordId): number | null {
    const number = this.#numbers.find(id);
    return number < 0 ? null : number;
  }

  idOf(url: CanonicalUrl): RecordId | null {
    const entry = this.#urls.find(url);
    return entry < 0 ? null : (this.#ids.at(this.#pages[entry] as number) as RecordId);
  }
}

export interface LinkReading {
  readonly source: CorpusSource;
  readonly pages: LinkedPages;
  /** Path of the new file of rows. */
  readonly path: string;
  readonly onPage: (done: number) => void;
  /** Masks personal data in anchor texts, and mail addresses in targets outside of the corpus. Default: false. */
  readonly masks?: boolean;
  /** Receives damaged WARC records, whose links are omitted. Without it they are errors. */
  readonly onDamaged?: OnDamaged | undefined;
}

/** The links of a corpus, in a file of rows; in memory are the links between its pages alone, four bytes each. */
export class CorpusLinks {
  readonly #path: string;
  readonly #pages: LinkedPages;
  readonly #ranks: Float64Array;
  /** Size and digest of the file of rows. */
  readonly file: Omit<CorpusFileFacts, 'name'>;
  readonly facts: LinkFacts;

  private constructor({ path, pages }: LinkReading, ranks: Float64Array, file: Omit<CorpusFileFacts, 'name'>, facts: LinkFacts) {
    this.#path = path;
    this.#pages = pages;
    this.#ranks = ranks;
    this.file = file;
    this.facts = facts;
  }

  /**
   * Extracts the links of all pages, in the order of the WARC files: some milliseconds a page.
   * @throws DataError if there is no WARC file, or if one is damaged; StoreError
   */
  static async read(reading: LinkReading): Promise<CorpusLinks> {
    const files = await reading.source.warcFiles();
    if (files.length === 0 && reading.pages.size > 0)
      throw new DataError(
        `${reading.source.dir}: has no WARC files, and links are read from them; harvest it with --format jsonl,warc first`,
      );
    const { pages } = reading;
    const file = await HashedFile.create(reading.path);
    const graph = new GrowingGraph(pages.size);
    const packed = new Set<RecordId>();
    let [links, inside] = [0, 0];
    try {
      const extractor = pageExtractor({ productToken: PRODUCT_TOKEN });
      const turns = new EventLoopYielder();
      const isNew = (id: RecordId) => pages.numberOf(id) !== null && !graph.has(pages.numberOf(id) ?? 0);
      for await (const stored of readPagesOf(files, isNew, reading.onDamaged, (id) => void packed.add(id))) {
        const { recordId, url } = stored;
        const page = await storedPage(stored);
        const rows = page === null ? [] : rowsOf(reading, { id: recordId, url }, extractor.extract(page));
        const targets = rows.flatMap(({ targetId }) => (targetId === null ? [] : (pages.numberOf(targetId) ?? [])));
        graph.add(pages.numberOf(recordId) ?? 0, targets);
        links += rows.length;
        inside += targets.length;
        if (rows.length > 0) await file.write(rows.map(jsonLine).join(''));
        reading.onPage(graph.read);
        await turns.take();
      }
      const facts = { links, inside, pagesWithout: pages.size - graph.read };
      const missing = facts.pagesWithout - packed.size;
      if (missing > 0 && !reading.onDamaged)
        throw new DamageError(
          `${reading.source.dir}: ${missing} of ${pages.size} pages have no WARC record, so their links are unknown; restore the files from a copy, or continue without them: --skip-damaged`,
        );
      return new CorpusLinks(reading, pageRank(graph), await file.finish(), facts);
    } catch (error) {
      await file.abandon();
      throw error;
    }
  }

  /** The PageRank of a page of the corpus. */
  rankOf(id: RecordId): Unit {
    return this.#ranks[this.#pages.numberOf(id) ?? -1] ?? 0;
  }

  /** All links, in the order of the WARC files; needs the memory of one. @throws DataError */
  async *rows(): AsyncGenerator<LinkRow> {
    for await (const line of byteLines(this.#path, Number.POSITIVE_INFINITY)) yield JSON.parse(line.toString('utf8')) as LinkRow;
  }
}

function rowsOf({ pages, masks = false }: LinkReading, page: Pick<LinkRow, 'id' | 'url'>, extraction: Extraction): LinkRow[] {
  const rows = linkRowsOf(page, extraction, pages);
  return masks ? rows.map((row) => withoutPersonalLink(row, extraction.lang)) : rows;
}

/** A target of the corpus keeps the name that it has in the other files. */
function withoutPersonalLink(row: LinkRow, lang: string | null): LinkRow {
  const target = row.targetId === null ? (withoutMail(row.target) as CanonicalUrl) : row.target;
  return { ...row, target, anchorText: withoutPersonal(row.anchorText, lang) };
}

/** The rows of one page, in the order of its links. The only place that makes them. */
export function linkRowsOf(
  { id, url }: { readonly id: RecordId; readonly url: CanonicalUrl },
  { outlinks, nofollow }: Pick<Extraction, 'outlinks' | 'nofollow'>,
  pages: Pick<LinkedPages, 'idOf'>,
): LinkRow[] {
  return outlinks.map(({ url: target, anchorText, rel, zone }) => ({
    id,
    url,
    target,
    targetId: pages.idOf(target),
    anchorText,
    rel,
    nofollow: nofollow || rel.includes('nofollow'),
    zone,
  }));
}

/** Rows of targets, in the order in which pages are read. */
class GrowingGraph {
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
  targets = new Uint32Array(1024);
  readonly #has: Uint8Array;
  #length = 0;
  /** Number of pages that were read. */
  read = 0;

  constructor(nodes: number) {
    this.starts = new Uint32Array(nodes);
    this.counts = new Uint32Array(nodes);
    this.#has = new Uint8Array(nodes);
  }

  has(node: number): boolean {
    return this.#has[node] === 1;
  }

  add(node: number, targets: readonly number[]): void {
    this.#has[node] = 1;
    this.read += 1;
    this.starts[node] = this.#length;
    this.counts[node] = targets.length;
    if (this.#length + targets.length > this.targets.length) {
      const larger = new Uint32Array(Math.max(2 * this.targets.length, this.#length + targets.length));
      larger.set(this.targets);
      this.targets = larger;
    }
    this.targets.set(targets, this.#length);
    this.#length += targets.length;
  }
}
