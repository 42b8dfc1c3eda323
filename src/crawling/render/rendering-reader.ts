import type { PageReader, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { RenderChoice, RenderedVisit, RenderGround } from '../../base/core/rendering.ts';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import type { PageRenderer, RenderedPage } from './page-renderer.ts';
import { isGain, type RenderHabits } from './render-habits.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** Reads a page as the server sent it; then, if there is a ground, its rendered document; and takes the better text and the links of both. */
export class RenderingReader implements PageReader {
  readonly markSettled?: (url: CanonicalUrl) => void;
  readonly #reader: PageReader;
  readonly #renderer: Pick<PageRenderer, 'render' | 'close'>;
  readonly #choice: Exclude<RenderChoice, 'never'>;
  readonly #habits: RenderHabits;

  constructor(
    reader: PageReader,
    renderer: Pick<PageRenderer, 'render' | 'close'>,
    choice: Exclude<RenderChoice, 'never'>,
    habits: RenderHabits,
  ) {
    [this.#reader, this.#renderer, this.#choice, this.#habits] = [reader, renderer, choice, habits];
    if (reader.markSettled) this.markSettled = (url) => reader.markSettled?.(url);
  }

  async read(page: FetchedPage): Promise<ReadOutcome> {
    const plain = await this.#reader.read(page);
    if (plain.kind !== 'read' || plain.extraction.document !== undefined || !isHtml(page)) return plain;
    const ground = this.#groundFor(page, plain);
    if (ground === null) return plain;
    const rendered = await this.#renderer.render(page);
    const read = rendered.page === null ? null : await this.#reader.read(rendered.page);
    return this.#better(page, plain, read?.kind === 'read' ? read : null, rendered, ground);
  }

  async close(): Promise<void> {
    await this.#renderer.close();
    await this.#reader.close();
  }

  #groundFor({ url, body }: FetchedPage, { extraction }: Read): RenderGround | null {
    if (this.#choice === 'always') return 'always';
    if (!hasScript(body)) return null;
    const ground = this.#habits.groundFor(url, extraction.shell === true || url.includes('#'));
    if (ground === null) this.#habits.notePlain(url);
    return ground;
  }

  #better(page: FetchedPage, plain: Read, rendered: Read | null, { cost, trouble, ...result }: RenderedPage, because: RenderGround): Read {
    const all = linksOf(plain, rendered);
    const text = [plain.extraction.text.length, rendered?.extraction.text.length ?? null] as const;
    const links = [plain.links.length, rendered === null ? null : all.length] as const;
    // A check that gains little leaves the page as it is: a revisit will not render it.
    const used = rendered !== null && isBetter(rendered, plain) && (because !== 'check' || isGain(text, links));
    const visit: RenderedVisit = { ...cost, because, text, links, used, ...(trouble !== null && { trouble }) };
    this.#habits.noteRendered(page.url, visit);
    const document = used && result.page ? { html: result.page.body, resources: result.resources } : null;
    const taken = used ? rendered : plain;
    const extraction = rendered === null ? plain.extraction : withWordsOf(taken.extraction, used ? plain.extraction : rendered.extraction);
    return { ...taken, extraction, links: all, rendering: { visit, document, answers: result.robots } };
  }
}

function isHtml({ headers }: FetchedPage): boolean {
  const { mime } = parseContentType(headers['content-type']);
  return mime === '' || mime.includes('html');
}

/** A page without scripts gains nothing by a browser. O(bytes), some microseconds. */
function hasScript(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes('<script') || bytes.includes('<SCRIPT');
}

/** A wall is worse than a page; then the longer text is better. Links do not count: readers omit those that are settled, so their number depends on the visits before. */
function isBetter(rendered: Read, plain: Read): boolean {
  const [isWall, wasWall] = [rendered.extraction.wall !== undefined, plain.extraction.wall !== undefined];
  if (isWall !== wasWall) return wasWall;
  return rendered.extraction.text.length > plain.extraction.text.length;
}

/** Opt-outs and reservations count wherever they are stated: a script may neither remove nor hide them. */
function withWordsOf(taken: Read['extraction'], other: Read['extraction']): Read['extraction'] {
  const reservation = other.reservation?.reserved && !taken.reservation?.reserved ? other.reservation : taken.reservation;
  return {
    ...taken,
    noindex: taken.noindex || other.noindex,
    nofollow: taken.nofollow || other.nofollow,
    ...(reservation && { reservation }),
  };
}

/** The links of both, each URL once: where both have one, the words of the rendered document count. */
function linksOf(plain: Read, rendered: Read | null): Read['links'] {
  if (rendered === null) return plain.links;
  const known = new Set(rendered.links.map(({ url }) => url));
  return [...rendered.links, ...plain.links.filter(({ url }) => !known.has(url))];
}
