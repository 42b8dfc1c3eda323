/** Links of a page: those of its annotations, and the addresses in its text. */
import { isNoPlace } from '../../document-html.ts';
import type { PdfFile } from './pdf-file.ts';

/** `PDFACTION_URI` of fpdf_doc.h. */
const ACTION_URI = 3;
/** Links of one page that are read: an index has some hundred. */
const MOST_LINKS = 2000;
const MOST_URL_BYTES = 8192;

interface Area {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  readonly href: string;
}

/** Targets of the characters of a page. */
export class PageTargets {
  readonly #areas: Area[];
  readonly #ranges = new Map<number, string>();

  constructor(file: PdfFile, page: number, text: number, base: string | null) {
    this.#areas = annotatedAreas(file, page, base);
    readWebLinks(file, text, (from, count, href) => {
      for (let i = 0; i < count; i++) this.#ranges.set(from + i, href);
    });
  }

  /** Target of the character with this number, at this place; null without one. */
  at(index: number, x: number, y: number): string | null {
    const area = this.#areas.find(({ left, right, bottom, top }) => x >= left && x <= right && y >= bottom && y <= top);
    return area?.href ?? this.#ranges.get(index) ?? null;
  }
}

function annotatedAreas({ pdfium, document }: PdfFile, page: number, base: string | null): Area[] {
  const { calls, scratch } = pdfium;
  const areas: Area[] = [];
  // The place in the list of links, and the link.
  for (let position = 0, n = 0; n < MOST_LINKS; n++) {
    calls.pdfium.HEAP32[scratch / 4] = position;
    if (!calls.FPDFLink_Enumerate(page, scratch, scratch + 8)) break;
    position = pdfium.int(0);
    const link = pdfium.int(2);
    const action = calls.FPDFLink_GetAction(link);
    if (action === 0 || calls.FPDFAction_GetType(action) !== ACTION_URI) continue;
    const call = (at: number, bytes: number) => calls.FPDFAction_GetURIPath(document, action, at, bytes);
    const href = targetOf(pdfium.text('utf8', MOST_URL_BYTES, call), base);
    if (href !== null) areas.push(...areasOf(pdfium, link, href));
  }
  return areas;
}

/** The areas of a link: one for each of its lines, if it names them. */
function areasOf(pdfium: PdfFile['pdfium'], link: number, href: string): Area[] {
  const { calls, scratch } = pdfium;
  const areas: Area[] = [];
  const count = Math.min(calls.FPDFLink_CountQuadPoints(link), MOST_LINKS);
  for (let i = 0; i < count; i++) {
    if (!calls.FPDFLink_GetQuadPoints(link, i, scratch)) continue;
    const [xs, ys] = [0, 1].map((first) => [0, 2, 4, 6].map((at) => pdfium.float(first + at)));
    areas.push(area(xs ?? [], ys ?? [], href));
  }
  if (areas.length > 0 || !calls.FPDFLink_GetAnnotRect(link, scratch)) return areas;
  return [area([pdfium.float(0), pdfium.float(2)], [pdfium.float(1), pdfium.float(3)], href)];
}

function area(xs: readonly number[], ys: readonly number[], href: string): Area {
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys), href };
}

function readWebLinks({ pdfium }: PdfFile, text: number, take: (from: number, count: number, href: string) => void): void {
  const { calls, scratch } = pdfium;
  const links = calls.FPDFLink_LoadWebLinks(text);
  if (links === 0) return;
  const count = Math.min(calls.FPDFLink_CountWebLinks(links), MOST_LINKS);
  for (let i = 0; i < count; i++) {
    // A length in units of UTF-16, not in bytes.
    const call = (at: number, bytes: number) => 2 * calls.FPDFLink_GetURL(links, i, at, bytes / 2);
    const href = targetOf(pdfium.text('utf16le', MOST_URL_BYTES, call), null);
    if (href !== null && calls.FPDFLink_GetTextRange(links, i, scratch, scratch + 4)) take(pdfium.int(0), pdfium.int(1), href);
  }
  calls.FPDFLink_CloseWebLinks(links);
}

/** A target on the web; null for mail addresses, files and places without a base. */
function targetOf(uri: string, base: string | null): string | null {
  if (isNoPlace(uri)) return null;
  const whole = /^www\./i.test(uri) ? `http://${uri}` : uri;
  try {
    const url = base === null ? new URL(whole) : new URL(whole, base);
    return uri !== '' && /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
