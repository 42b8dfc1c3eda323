/**
 * Hosts whose pages have names of pictures, sounds or films (`/photo/1.jpg`). Only an answer can tell, so one URL of a host is requested to find out; if it is
 * a page, all URLs of that host with that ending are. An answer of another media type ends at its header.
 */
import type { FileNames, LinkOfPage } from '../core/parts/file-names.ts';
import type { CanonicalUrl, Discovery, HostKey } from '../core/types.ts';
import { mediaEnding } from './media-names.ts';
import { hostKeyOf } from './url.ts';

/** Requests to find out, as a share of all visits: a hundredth of the budget, and one at the start. */
const SHARE = 0.01;
/** Endings of a host that are tried: a site of photographs has `.jpg`, perhaps `.png` too. */
const ENDINGS_OF_HOST = 2;
/** Endings of hosts that are remembered: 2 MB. Beyond, no further one is tried. */
const REMEMBERED = 16_384;
/** Pages whose links are kept until the answer: a page has at most 5,000 links, most have few of such names. */
const MOST_KEPT = 256;

type Verdict = 'asked' | 'pages' | 'files';

export class PageFileNames implements FileNames {
  readonly #visits: () => number;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #endingsOf = new Map<HostKey, number>();
  /** Links of the pages on which tried URLs were found, by the name of these. */
  readonly #kept = new Map<string, Discovery>();
  #asked = 0;
  /** Has any host pages under such names? Each link of each page asks, and hardly any crawl meets one. */
  #isAny = false;

  /** @param visits number of visits so far */
  constructor(visits: () => number) {
    this.#visits = visits;
  }

  mayBePage(url: CanonicalUrl): boolean {
    if (!this.#isAny) return false;
    const name = nameOf(url);
    return name !== null && this.#verdicts.get(name) === 'pages';
  }

  tries({ url, from, onTopic, words }: LinkOfPage): boolean {
    const host = hostKeyOf(url);
    // A link with words names a page more often than a thumbnail does, which leads to its picture.
    if (!onTopic || words.trim() === '' || host !== hostKeyOf(from)) return false;
    const name = nameOf(url);
    const tried = this.#endingsOf.get(host) ?? 0;
    if (name === null || this.#verdicts.has(name) || tried >= ENDINGS_OF_HOST || this.#verdicts.size >= REMEMBERED) return false;
    if (this.#asked >= 1 + SHARE * this.#visits()) return false;
    this.#asked += 1;
    this.#endingsOf.set(host, tried + 1);
    this.#verdicts.set(name, 'asked');
    return true;
  }

  keep(tried: CanonicalUrl, found: Discovery): void {
    const name = nameOf(tried);
    const links = found.links.filter(({ url, refusal }) => refusal === 'content-type' && nameOf(url) === name);
    if (name === null || links.length === 0 || this.#kept.size >= MOST_KEPT) return;
    this.#kept.set(name, { ...found, links: links.map((link) => ({ ...link, refusal: null })) });
  }

  answered(url: CanonicalUrl, isPage: boolean): Discovery | null {
    const name = nameOf(url);
    const before = name === null ? undefined : this.#verdicts.get(name);
    if (name === null || before === 'pages' || (before === undefined && this.#verdicts.size >= REMEMBERED)) return null;
    this.#verdicts.set(name, isPage ? 'pages' : 'files');
    this.#isAny ||= isPage;
    const kept = isPage ? this.#kept.get(name) : undefined;
    this.#kept.delete(name);
    return kept ?? null;
  }
}

/** `http://a.example/*.jpg`; null for a URL without such an ending. */
function nameOf(url: CanonicalUrl): string | null {
  const ending = mediaEnding(url);
  return ending === null ? null : `${hostKeyOf(url)}/*.${ending}`;
}
