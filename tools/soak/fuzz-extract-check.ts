/** What must hold of every extraction, whatever the page. */

import { isDeepStrictEqual } from 'node:util';
import type { CanonicalUrl, Extraction, Ms, Outlink } from '../../src/base/core/types.ts';
import { charsetOf } from '../../src/base/web/charset.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import type { PageExtractor } from '../../src/reading/extract/extractor.ts';
import { MAX_OUTLINKS } from '../../src/reading/extract/links.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { drawnModel } from './drawn-model.ts';
import type { FuzzPage } from './fuzz-extract-input.ts';
import { TwoReadings } from './two-readings.ts';

/** One input in this many is also read as Markdown. */
const MARKDOWN_EVERY = 16;
/** One in this many is also read by another mode and by an extractor that has read nothing before. */
const AGAIN_EVERY = 64;
/** A page that seems slow is read this often more; its fastest time counts, as the machine has other work. */
const REPEATS = 4;
/** From here on a time is looked at again. */
const SLOW_SHARE = 0.04;

export interface Verdict {
  readonly mode: MainTextMethod;
  readonly ms: Ms;
  /** What does not hold, one line each; empty for a page that is read as it should be. */
  readonly violations: readonly string[];
}

/** Reads each page in one of the four modes in turn. One for a thread: the extractors keep their scratch memory, as in a crawl. */
export class FuzzReader {
  readonly #cap: Ms;
  readonly #extractors = MAIN_TEXT_METHODS.map(extractorOf);
  readonly #readings: TwoReadings;

  private constructor(cap: Ms, readings: TwoReadings) {
    this.#cap = cap;
    this.#readings = readings;
  }

  static async of(cap: Ms): Promise<FuzzReader> {
    return new FuzzReader(cap, await TwoReadings.of([drawnModel(1), drawnModel(2, { template: [1, 2, 3] })]));
  }

  /** Input number `n`. Never throws. */
  check(page: FuzzPage, n: number): Verdict {
    const at = n % MAIN_TEXT_METHODS.length;
    const mode = MAIN_TEXT_METHODS[at] ?? 'slope';
    const extractor = this.#extractors[at] ?? extractorOf(mode);
    // Counted apart from the modes, which take turns by the lowest bits of `n`.
    const turn = Math.floor(n / MAIN_TEXT_METHODS.length);
    try {
      const from = performance.now();
      const extraction = extractor.extract(page);
      const ms = this.#settled(performance.now() - from, extractor, page);
      const violations = violationsOf(extraction, page);
      if (ms > this.#cap) violations.push(`took ${ms.toFixed(0)} ms, over the cap of ${this.#cap} ms`);
      const differs = this.#readings.difference(page);
      if (differs !== '') violations.push(`the core reads otherwise: ${differs}`);
      if (turn % MARKDOWN_EVERY === 0) violations.push(...markdownViolations(extractor, page, extraction, turn % 2 === 0));
      if (turn % AGAIN_EVERY === 1) violations.push(...this.#againViolations(mode, page, extraction));
      return { mode, ms, violations };
    } catch (error) {
      return { mode, ms: 0, violations: [`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`] };
    }
  }

  #settled(first: Ms, extractor: PageExtractor, page: FuzzPage): Ms {
    let best = first;
    for (let i = 0; i < REPEATS && best > this.#cap * SLOW_SHARE; i++) {
      const from = performance.now();
      extractor.extract(page);
      best = Math.min(best, performance.now() - from);
    }
    return best;
  }

  #againViolations(mode: MainTextMethod, page: FuzzPage, extraction: Extraction): string[] {
    const out: string[] = [];
    const fresh = extractorOf(mode).extract(page);
    if (!isDeepStrictEqual(fresh, extraction))
      out.push(`${mode}: another result after other pages than before: ${difference(fresh, extraction)}`);
    for (const [i, other] of this.#extractors.entries()) {
      const { outlinks, title, metadata } = other.extract(page);
      const same = outlinks.length === extraction.outlinks.length && outlinks.every(({ url }, at) => url === extraction.outlinks[at]?.url);
      if (!same) out.push(`other outlinks in mode ${MAIN_TEXT_METHODS[i]} than in ${mode}`);
      if (title !== extraction.title || !isDeepStrictEqual(metadata, extraction.metadata)) out.push(`title or metadata differ by mode`);
    }
    return out;
  }
}

function extractorOf(mode: MainTextMethod): PageExtractor {
  return pageExtractor({ productToken: 'forager', extractor: mode });
}

function difference(a: Extraction, b: Extraction): string {
  return (Object.keys(a) as (keyof Extraction)[]).filter((key) => !isDeepStrictEqual(a[key], b[key])).join(', ');
}

function markdownViolations(extractor: PageExtractor, page: FuzzPage, expected: Extraction, links: boolean): string[] {
  const { extraction, markdown } = extractor.extractMarkdown(page, { links });
  const out = isDeepStrictEqual(extraction, expected) ? [] : [`extractMarkdown extracts another ${difference(extraction, expected)}`];
  if (isHtml(page) && LONE.test(markdown)) out.push('half a surrogate pair in the Markdown');
  if (expected.text.trim() !== '' && markdown.trim() === '') out.push('no Markdown of a page that has text');
  return out;
}

const LONE = /\p{Surrogate}/u;
/** No line break but '\n' parts blocks, so these only mean that something was not cleaned. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const CONTROL = /[\0-\x08\x0b-\x1f]/;
const ISO_DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

function violationsOf(extraction: Extraction, page: FuzzPage): string[] {
  const { charset, warnings, lang } = extraction;
  const out: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) out.push(what);
  };
  must(charsetOf(charset) === charset, `charset ${charset} is no label of ours`);
  must(lang === null || /^[\p{L}\p{N}-]+$/u.test(lang), `lang ${JSON.stringify(lang)}`);
  must(warnings.length <= 30, `${warnings.length} warnings`);
  for (const warning of warnings) must(warning.length <= 300 && !warning.includes('\n'), `warning ${JSON.stringify(warning)}`);
  if (isHtml(page)) textRules(extraction, must);
  linkRules(extraction.outlinks, page.url, must);
  metadataRules(extraction, must);
  return out;
}

type Must = (holds: boolean, what: string) => void;

function isHtml({ headers }: FuzzPage): boolean {
  return !/^text\/plain/i.test(headers['content-type'] ?? '');
}

function textRules({ text, title }: Extraction, must: Must): void {
  plain(text.replaceAll(/[\n\t]/g, ' '), 'text', must);
  plain(title, 'title', must);
  must(!title.includes('\n') && title === title.trim(), 'title is not one trimmed line');
  must(text === text.trimEnd() && !text.startsWith('\n'), 'text is not trimmed');
  must(!/[ \t]\n/.test(text), 'a line of the text ends with a blank');
}

function plain(text: string, what: string, must: Must): void {
  must(!CONTROL.test(text), `control character in ${what}`);
  must(!LONE.test(text), `half a surrogate pair in ${what}`);
}

function linkRules(outlinks: readonly Outlink[], pageUrl: CanonicalUrl, must: Must): void {
  must(outlinks.length <= MAX_OUTLINKS, `${outlinks.length} outlinks`);
  must(new Set(outlinks.map(({ url }) => url)).size === outlinks.length, 'an outlink twice');
  for (const { url, anchorText, context, imageAlt, tagPath } of outlinks) {
    must(canonicalize(url) === url, `outlink not canonical: ${url}`);
    must(url !== pageUrl, 'the page links to itself');
    must(anchorText.length <= 200 && imageAlt.length <= 200, 'anchor text or alt over 200 characters');
    must(context.length <= 602, `context of ${context.length} characters`);
    must(tagPath.split('>').length <= 3, `tag path ${tagPath}`);
    plain(anchorText, 'anchor text', must);
    plain(context, 'context', must);
    plain(imageAlt, 'alt', must);
  }
}

function metadataRules({ metadata }: Extraction, must: Must): void {
  const { authors, licences, alternates, robots, published, modified, canonical, description, siteName, rights } = metadata;
  must(
    authors.length <= 20 && licences.length <= 10 && alternates.length <= 100 && robots.length <= 20,
    'a list of metadata over its bound',
  );
  const urls = [...licences, ...alternates.map(({ url }) => url), ...(canonical === null ? [] : [canonical])];
  for (const url of urls) must(canonicalize(url) === url, `metadata address not canonical: ${url}`);
  for (const date of [published, modified]) must(date === null || ISO_DATE.test(date), `date ${date}`);
  for (const words of [description, siteName, rights, ...authors]) if (words !== null) plain(words, 'metadata', must);
}
