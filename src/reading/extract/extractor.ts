import { DataError } from '../../base/core/errors.ts';
import { failureText } from '../../base/core/failure-words.ts';
import type { Extractor, ReadablePage } from '../../base/core/parts/reading.ts';
import type { EpochMs, Extraction, Post } from '../../base/core/types.ts';
import { decodeText } from '../../base/web/charset.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { spareBlocks } from './block-votes.ts';
import type { PageContent } from './blocks.ts';
import { dataTextOf } from './data-text.ts';
import { documentIn, pageSteps } from './document-pages.ts';
import { explainBlocks, type PageExplanation, type Verdict } from './explanation.ts';
import type { FieldReader } from './field-reader.ts';
import { withFormulas } from './formulas.ts';
import { contentOfHeader, headerDeclarations, withHeader } from './header-declarations.ts';
import type { HtmlParser } from './html-parser.ts';
import { type BlockHeads, linedText } from './line-notes.ts';
import { type FoundLinks, feedsOf, type IsSettled, linkBaseOf, outlinksOf, type PagePlace } from './links.ts';
import { otherVisible, ROLE, textOf } from './main-text.ts';
import { MarkdownWriter, withTitle } from './markdown-writer.ts';
import { type TextSpans, writeMarkup } from './markup-sink.ts';
import type { MarkupWriter } from './markup-writer.ts';
import { declaredBy, declaredByHeaders } from './metadata.ts';
import { MAX_PAGE_CHARS } from './page-caps.ts';
import type { PageElements } from './page-elements.ts';
import type { PageLayout } from './page-layout.ts';
import { hasSign } from './page-signs.ts';
import { emptinessOf, type PageEmptiness } from './page-wall.ts';
import { type ProductStatement, productOf, productStatements, type StatingPage } from './product.ts';
import { type ProductMarks, refineProduct } from './product-roles.ts';
import { withoutDemands } from './script-demands.ts';
import { withShadowRoots } from './shadow-roots.ts';
import type { TextMethod } from './text-method.ts';
import { DEFAULT_MAIN_TEXT_METHOD, type MainTextMethod } from './text-method-names.ts';
import { textMethodNamed } from './text-methods.ts';
import { chosenParts, type TextParts } from './text-parts.ts';
import { postHeads, postSteps, postsOf, quoteTest } from './threads/posts.ts';
import { type ReadPage, readThread } from './threads/read-thread.ts';
import type { FoundPost, Thread } from './threads/thread.ts';

const ALL_TEXT = textMethodNamed('none');
/** No charset takes more than four bytes for a unit. */
const MAX_PAGE_BYTES = 4 * MAX_PAGE_CHARS;

export interface ExtractorOptions {
  /** The crawler's name in robots metas and X-Robots-Tag, e.g. `forager`. */
  readonly productToken: string;
  /** Default `DEFAULT_MAIN_TEXT_METHOD`. */
  readonly extractor?: MainTextMethod;
  /** Reads the fields of pages that match field rules. */
  readonly fields?: FieldReader;
  /** The wanted parts of the main text; links are not affected. Default: everything that the extractor finds. */
  readonly parts?: TextParts;
  /** Links that are unwanted, by the fingerprint of their URL: they are omitted. Default: none. */
  readonly isSettled?: IsSettled;
  /** The date: a later day on a page is no day of its publication. Default: that of the machine. */
  readonly date?: () => EpochMs;
}

type Page = ReadablePage;

/**
 * Title, main text, links and declarations of pages. It has scratch memory: one extractor serves one thread, one page after another. A page on which the
 * parser itself fails is empty, with a warning; no markup is known that does it.
 */
export class PageExtractor implements Extractor {
  readonly #parser: HtmlParser;
  readonly #productToken: string;
  readonly #method: TextMethod;
  readonly #fields: FieldReader | null;
  readonly #parts: TextParts;
  readonly #isSettled: IsSettled | undefined;
  readonly #date: () => EpochMs;

  /** @param parser is asked by this extractor alone, one page after another */
  constructor(options: ExtractorOptions, parser: HtmlParser) {
    this.#productToken = options.productToken;
    this.#method = textMethodNamed(options.extractor ?? DEFAULT_MAIN_TEXT_METHOD);
    this.#parser = parser;
    this.#fields = options.fields ?? null;
    this.#date = options.date ?? Date.now;
    this.#parts = options.parts ?? {};
    this.#isSettled = options.isSettled;
  }

  /** Extracts a page in time O(length of the page). */
  extract(page: Page): Extraction {
    return this.#readOrEmpty(page, null);
  }

  /**
   * Extracts a page as `extract` does, plus the places its texts come from; null if they do not follow from blocks: plain text, or text
   * with its title.
   * @throws DataError if the parser itself fails
   */
  extractWithLayout(page: Page): { readonly extraction: Extraction; readonly layout: PageLayout | null } {
    return this.#read(page, null);
  }

  /**
   * Extracts a page as `extract` does, plus title and main text as Markdown, without links unless requested. The Markdown of plain text is
   * that text.
   */
  extractMarkdown(
    page: Page,
    { links = false }: { readonly links?: boolean } = {},
  ): { readonly extraction: Extraction; readonly markdown: string } {
    const markdown = new MarkdownReading(links);
    const extraction = this.#readOrEmpty(page, markdown);
    if (markdown.markdown === null) return { extraction, markdown: extraction.text };
    const isShown = extraction.textSource === undefined;
    return { extraction, markdown: isShown ? this.#headed(extraction.title, markdown.markdown) : this.#statedMarkdown(extraction) };
  }

  /**
   * Writes the blocks of the main text, and spare ones, whose lines are `text`, with their links: other blocks are omitted.
   * @returns false if `text` has a line that these blocks have not, or have elsewhere, and for a page without blocks: plain text; then nothing is written
   */
  writeMarkup(page: Page, text: string, writer: MarkupWriter): boolean {
    return unlessFailed(
      () => this.#writeMarkup(page, text, writer),
      () => false,
    );
  }

  #writeMarkup(page: Page, text: string, writer: MarkupWriter): boolean {
    const { isHtml, text: written, charset } = this.#decoded(page);
    if (!isHtml) return false;
    const { html, content, thread, verdict } = this.#decide(written, placeOf(page, charset));
    const spans = this.#parser.spans();
    const spare = spareBlocks(content, verdict.chosen);
    const kept = blocksOf(content, (block) => verdict.chosen[block] === ROLE.text || spare.has(block), text);
    if (kept === null) return false;
    const isKept = (block: number) => kept.has(block);
    writeMarkup(html, spans, isKept, writer, {
      linkBase: linkBaseOf(content, { url: page.url, charset }),
      gaps: content.lineNotes.gaps,
      ...(page.document && { before: pageSteps(page.document.pageStarts, spans, isKept, (number) => writer.page(number)) }),
      ...(thread && { isQuoted: quoteTest(thread), before: postSteps(thread, content.blocks.length, isKept, (post) => writer.post(post)) }),
    });
    return true;
  }

  /**
   * Extracts a page as `extract` does, plus the reasons why each block of the page is in the text or not, from this extraction. null for
   * plain text, which has no blocks.
   */
  explain(page: Page): { readonly extraction: Extraction; readonly explanation: PageExplanation | null } {
    const reading = new ExplanationReading();
    const extraction = this.#readOrEmpty(page, reading);
    return { extraction, explanation: reading.explanation };
  }

  /** A text that the page does not show has no blocks. */
  #statedMarkdown({ title, text }: Extraction): string {
    return this.#parts.title === true ? text : this.#headed(title, text);
  }

  #headed(title: string, markdown: string): string {
    return this.#parts.title === false ? markdown : withTitle(title, markdown);
  }

  #readOrEmpty(page: Page, reading: Reading | null): Extraction {
    return unlessFailed(
      () => this.#read(page, reading).extraction,
      ({ message }) => this.#plain(page, '', 'utf-8', [message]),
    );
  }

  #read(page: Page, reading: Reading | null): ReturnType<PageExtractor['extractWithLayout']> {
    const { isHtml, text, charset, warnings } = this.#decoded(page);
    return isHtml
      ? this.#html(page, text, charset, warnings, reading)
      : { extraction: this.#plain(page, text, charset, warnings), layout: null };
  }

  #decoded(page: Page): { readonly isHtml: boolean; readonly text: string; readonly charset: string; readonly warnings: string[] } {
    const { mime, charset: declared } = parseContentType(page.headers['content-type']);
    const isHtml = mime !== 'text/plain';
    const { text, charset, warnings } = decodeText(page.body.subarray(0, MAX_PAGE_BYTES), declared, isHtml, this.#parser.decodeUtf8);
    if (text.length <= MAX_PAGE_CHARS && page.body.length <= MAX_PAGE_BYTES) return { isHtml, text, charset, warnings: [...warnings] };
    const cut = `page longer than ${MAX_PAGE_CHARS} characters; the rest is omitted`;
    return { isHtml, text: text.slice(0, MAX_PAGE_CHARS), charset, warnings: [...warnings, cut] };
  }

  /** The content of a page, and the page itself, with its formulas as text and its shadow roots rendered. */
  #parsed(written: string): Parsed {
    const content = this.#parser.parse(written);
    const formulated = hasSign(content, 'formula') ? withFormulas(written) : written;
    const html = hasSign(content, 'shadowRoot') ? withShadowRoots(formulated) : formulated;
    return { html, content: html === written ? content : this.#parser.parse(html), elements: this.#elementsOf(html) };
  }

  /** The elements of the page that the parser holds: few pages are asked for them, and some by several readers. */
  #elementsOf(html: string): () => PageElements {
    let read: PageElements | null = null;
    return () => {
      read ??= this.#parser.elements(html);
      return read;
    };
  }

  /** The roles of the blocks. */
  #roles(written: string, place: ReadPlace): Roles {
    // Field by field: each spread takes a microsecond.
    const { html, content, elements } = this.#parsed(written);
    const method = this.#methodAt(place);
    const roles = method.rolesBy?.(this.#parser, content) ?? method.decide(content).roles;
    const page = { html, content, elements, roles, rules: null, url: place.url, place };
    const thread = this.#thread(page, place);
    const product = this.#productIn(page, page, place);
    const { chosen, others, wall, isShell } = this.#chosen(html, content, roles, place);
    return { html, content, elements, thread, roles, product, chosen, others, wall, isShell };
  }

  /** The roles with their reasons. */
  #decide(written: string, place: ReadPlace): Decided {
    const parsed = this.#parsed(written);
    const { html, content } = parsed;
    const decision = this.#methodAt(place).decide(content);
    const { roles, rules } = decision;
    const thread = this.#thread({ ...parsed, roles, rules, url: place.url }, place);
    const product = this.#productIn({ ...parsed, place }, decision, place);
    const { chosen, ...seen } = this.#chosen(html, content, roles, place);
    return { ...parsed, thread, product, verdict: { decision, chosen }, ...seen };
  }

  /** The method that reads the page. All text of a document is main text. */
  #methodAt({ isDocument }: ReadPlace): TextMethod {
    return isDocument ? ALL_TEXT : this.#method;
  }

  #thread(page: ReadPage, { isDocument }: ReadPlace): Thread | null {
    return isDocument ? null : readThread(page, this.#method.takesAll);
  }

  /** The statements of a page about its product, by which blocks become text or not. */
  #productIn(page: StatingPage, marks: ProductMarks, { isDocument }: ReadPlace): Roles['product'] {
    const product = isDocument ? null : productStatements(page);
    const descriptions = product?.flatMap(({ parts: { description } }) => description ?? []);
    if (descriptions !== undefined && this.#method.name === 'block') refineProduct(page.content, marks, descriptions);
    return product;
  }

  /** The main text. An application without its scripts has none: its words ask for scripts. */
  #chosen(
    html: string,
    content: PageContent,
    roles: Uint8Array,
    { url, isDocument }: ReadPlace,
  ): Pick<Roles, 'chosen' | 'others' | keyof PageEmptiness> {
    const wanted = chosenParts(content, roles, this.#parts);
    const chosen = isDocument ? wanted : withoutDemands(content, wanted);
    const others = otherVisible(content, wanted);
    if (isDocument) return { chosen, others, wall: null, isShell: false };
    const { wall, isShell } = emptinessOf(html, content, chosen, url);
    return { chosen: wall === 'needs-javascript' ? new Uint8Array(chosen.length) : chosen, others, wall, isShell };
  }

  #explained(written: string, reading: Reading, place: ReadPlace): Roles {
    const decided = this.#decide(written, place);
    const roles = rolesOf(decided);
    const heads = () => this.#postsIn(roles, place).heads;
    reading.read(decided, place, () => this.#parser.spans(), heads);
    return roles;
  }

  #html(
    page: Page,
    written: string,
    charset: string,
    warnings: string[],
    reading: Reading | null,
  ): ReturnType<PageExtractor['extractWithLayout']> {
    const place = placeOf(page, charset);
    const read = reading === null ? this.#roles(written, place) : this.#explained(written, reading, place);
    const { html, content, elements, roles, chosen } = read;
    const stated = read.wall === null || read.wall === 'needs-javascript' ? dataTextOf(content, chosen) : null;
    const wall = stated === null ? read.wall : null;
    const others = stated === null ? read.others : otherVisible(content, new Uint8Array(chosen.length));
    warnings.push(...content.warnings, ...(wall ? [failureText(wall)] : []));
    const header = headerDeclarations(page);
    const stating = header === null ? content : withHeader(content, header);
    const stater = { url: page.url, headers: page.headers, charset };
    const declared = declaredBy(stating, elements, stater, this.#productToken, this.#date());
    const { posts, heads } = this.#postsIn(read, place);
    const text = stated?.text ?? linedText(content, chosen, heads);
    const otherText = textOf(content, others);
    const feeds = feedsOf(stating, place);
    const { outlinks, places } = this.#outlinks(stating, place, roles, warnings);
    const whole = this.#parts.title === true && wall !== 'needs-javascript' ? titled(declared.title, text) : text;
    const spans = page.document && page.document.pageStarts.length > 0 ? this.#parser.spans() : null;
    const extraction = {
      ...declared,
      text: whole,
      ...(stated && { textSource: stated.source }),
      otherText,
      ...(wall && { wall }),
      ...(read.isShell && stated === null && { shell: true as const }),
      ...(posts.length > 0 && wall === null && { posts }),
      outlinks,
      ...(feeds.length > 0 && { feeds }),
      ...(read.product && { product: productOf(content, read.product, chosen) }),
      ...(page.document && { document: documentIn(page.document, { html, content, chosen, spans }, whole.length - text.length) }),
      // Selectors are about the page as it is written, with all forms of its formulas.
      fields: this.#fields?.read(place, hasSign(content, 'shadowRoot') ? withShadowRoots(written) : written, warnings) ?? {},
      charset,
      warnings,
    };
    return { extraction, layout: this.#parts.title === true || stated !== null ? null : { content, chosen, others, places } };
  }

  /** The posts of a page, without those that `TextParts` removes, and their heads if these are wanted. */
  #postsIn({ content, thread, chosen }: Roles, place: PagePlace): { readonly posts: readonly Post[]; readonly heads: BlockHeads } {
    if (thread === null) return { posts: [], heads: new Map() };
    const isLeft = ({ body }: FoundPost) => this.#parts.comments !== false || body.some((block) => chosen[block] === ROLE.text);
    const found = thread.posts.filter(isLeft);
    const posts = postsOf(found, content, linkBaseOf(content, place), this.#date());
    return { posts, heads: this.#parts.postHeads ? postHeads(found, posts) : new Map() };
  }

  #outlinks(content: PageContent, place: PagePlace, roles: Uint8Array, warnings: string[]): FoundLinks {
    // The core knows no routes.
    const found = place.withRoutes ? null : this.#parser.findLinks?.(content, place, roles, warnings, this.#isSettled);
    if (found) return found;
    const places: number[] = [];
    return { outlinks: outlinksOf(content, place, roles, warnings, this.#isSettled, places), places };
  }

  #plain(page: Page, text: string, charset: string, warnings: string[]): Extraction {
    const header = headerDeclarations(page);
    const content = header && contentOfHeader(header);
    const outlinks = content ? outlinksOf(content, { url: page.url, charset }, new Uint8Array(0), warnings, this.#isSettled) : [];
    const declared = declaredByHeaders(page, content, this.#productToken);
    return { ...declared, text: text.replaceAll(LINE_ENDS, '\n'), otherText: '', outlinks, fields: {}, charset, warnings };
  }
}

/** Place of a page, and whether it is a document. */
interface ReadPlace extends PagePlace {
  readonly isDocument: boolean;
}

function placeOf({ url, document, rendered = false }: Page, charset: string): ReadPlace {
  return { url, charset, isDocument: document !== undefined, withRoutes: rendered };
}

/** The result of a task, or of another one if the parser itself fails. */
function unlessFailed<T>(task: () => T, otherwise: (error: DataError) => T): T {
  try {
    return task();
  } catch (error) {
    if (error instanceof DataError) return otherwise(error);
    throw error;
  }
}

/** A page as the parser has read it. */
interface Parsed {
  readonly html: string;
  readonly content: PageContent;
  readonly elements: () => PageElements;
}

/** A page with the roles of its blocks: by the method, and with the wanted parts only. */
interface Roles extends Parsed, PageEmptiness {
  readonly roles: Uint8Array;
  readonly thread: Thread | null;
  readonly chosen: Uint8Array;
  /** The visible text that is not in the main text. */
  readonly others: Uint8Array;
  /** Statements about the product of the page; null without one. */
  readonly product: readonly ProductStatement[] | null;
}

interface Decided extends Omit<Roles, 'roles' | 'chosen'> {
  readonly verdict: Verdict;
}

function rolesOf({ verdict, ...seen }: Decided): Roles {
  return { ...seen, roles: verdict.decision.roles, chosen: verdict.chosen };
}

/** Receives a page during its extraction. */
interface Reading {
  read(decided: Decided, place: PagePlace, spans: () => TextSpans, heads: () => BlockHeads): void;
}

/** The Markdown of one page. */
class MarkdownReading implements Reading {
  readonly #links: boolean;
  /** null before the end. */
  markdown: string | null = null;

  constructor(links: boolean) {
    this.#links = links;
  }

  read({ html, content, thread, verdict: { chosen } }: Decided, place: PagePlace, spans: () => TextSpans, heads: () => BlockHeads): void {
    const linkBase = this.#links ? linkBaseOf(content, place) : null;
    const writer = new MarkdownWriter();
    const step = (head: string) => () => writer.apart(() => writer.paragraph(`**${writer.text(head)}**`));
    writeMarkup(html, spans(), (block) => chosen[block] === ROLE.text, writer, {
      linkBase,
      gaps: content.lineNotes.gaps,
      ...(thread && { isQuoted: quoteTest(thread), before: new Map(Array.from(heads(), ([block, head]) => [block, step(head)])) }),
    });
    this.markdown = writer.finish();
  }
}

/** The reasons why the blocks of one page are in the text or not. */
class ExplanationReading implements Reading {
  /** null before the end. */
  explanation: PageExplanation | null = null;

  read({ content, verdict }: Decided): void {
    this.explanation = explainBlocks(content, verdict);
  }
}

/** The blocks, those of the main text and spare ones, whose texts make `text`, a line or more each, in their order; null if a line is in no such block. */
function blocksOf({ text: page, blocks }: PageContent, isChosen: (block: number) => boolean, text: string): ReadonlySet<number> | null {
  const found = new Set<number>();
  let at = 0;
  for (let block = 0; block < blocks.length && at < text.length; block += 1) {
    if (!isChosen(block)) continue;
    const { start = 0, end = 0 } = blocks[block] ?? {};
    const after = afterWords(text, at, page.slice(start, end));
    if (after < 0) continue;
    found.add(block);
    at = after;
  }
  return at >= text.length ? found : null;
}

const BLANK_RUN = /\s*/y;

/** The place after the same characters, which end a line, and after its end; -1 if the text has others. White space is equal. */
function afterWords(text: string, from: number, words: string): number {
  let at = afterBlanks(text, from);
  for (let i = 0; i < words.length; i += 1) {
    const code = words.charCodeAt(i);
    if (code !== 32 && code !== 10) {
      if (text.charCodeAt(at) !== code) return -1;
      at += 1;
    } else {
      const next = afterBlanks(text, at);
      if (next === at) return -1;
      at = next;
    }
  }
  const next = afterBlanks(text, at);
  return next === text.length || text.slice(at, next).includes('\n') ? next : -1;
}

function afterBlanks(text: string, at: number): number {
  BLANK_RUN.lastIndex = at;
  BLANK_RUN.test(text);
  return BLANK_RUN.lastIndex;
}

/** Ends of lines and pages. Some readers of JSON lines and CSV end a row at any of them. */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

/** The text with the title as the first line, unless it already has it. */
function titled(title: string, text: string): string {
  if (title === '' || text === title || text.startsWith(`${title}\n`)) return text;
  return text === '' ? title : `${title}\n\n${text}`;
}
