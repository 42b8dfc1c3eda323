/** Extract or judge pages from anywhere: one record a page. */
import type { Explanation } from '../core/parts.ts';
import type { CanonicalUrl, Extraction, Unit } from '../core/types.ts';
import { type MainTextMethod, PageExtractor } from '../extract/extractor.ts';
import { canonicalize } from '../web/url.ts';
import { openFieldRules } from './field-rules.ts';
import { type InputOptions, readInput, type SourcePage } from './inputs.ts';
import { loadTopic } from './load-topic.ts';
import { PRODUCT_TOKEN } from './version.ts';

/** Base for the links of a page whose URL is not known: RFC 2606 keeps `.invalid` out of the DNS. */
const UNKNOWN = canonicalize('http://unknown.invalid/') as CanonicalUrl;

export interface ExtractedPage {
  readonly id: string;
  /** null when not known. */
  readonly url: CanonicalUrl | null;
  readonly extraction: Extraction;
  /** The main text as Markdown; null unless asked for. */
  readonly markdown: string | null;
}

export interface ExtractOptions extends InputOptions {
  /** How main text is found. Default slope. */
  readonly extractor?: MainTextMethod;
  /** YAML file of field rules. */
  readonly fieldRules?: string;
  /** With the main text as Markdown, with or without its links. Default: without Markdown. */
  readonly markdown?: 'with-links' | 'without-links';
}

export interface JudgedPage {
  readonly id: string;
  readonly url: CanonicalUrl | null;
  readonly title: string;
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly onTopic: boolean;
  /** null unless asked for. */
  readonly explanation: Explanation | null;
}

/** The pages of an input, extracted one by one. @throws UsageError, DataError: see `readInput` and `openFieldRules`. */
export async function* extractPages(input: string, options: ExtractOptions): AsyncGenerator<ExtractedPage> {
  const fields = options.fieldRules === undefined ? null : (await openFieldRules(options.fieldRules)).reader;
  const extractor = new PageExtractor({ productToken: PRODUCT_TOKEN, fields, extractor: options.extractor ?? 'slope' });
  for await (const page of readInput(input, options)) yield extractPage(page, extractor, options.markdown);
}

export function extractPage(page: SourcePage, extractor: PageExtractor, markdown?: ExtractOptions['markdown']): ExtractedPage {
  const { id, url, headers, body } = page;
  const source = { url: url ?? UNKNOWN, headers, body };
  if (markdown === undefined) return { id, url, extraction: extractor.extract(source), markdown: null };
  // Links of a page without a URL lead nowhere.
  return { id, url, ...extractor.extractMarkdown(source, { links: markdown === 'with-links' && url !== null }) };
}

/** The pages of an input, judged one by one. @throws ModelError, UsageError, DataError */
export async function* judgePages(
  model: string,
  input: string,
  options: InputOptions & { readonly explain?: boolean },
): AsyncGenerator<JudgedPage> {
  const topic = await loadTopic(model);
  for await (const { id, url, extraction } of extractPages(input, options)) {
    const relevance = topic.judge(extraction);
    yield {
      id,
      url,
      title: extraction.title,
      relevance,
      threshold: topic.threshold,
      onTopic: relevance >= topic.threshold,
      explanation: options.explain ? topic.explain(extraction) : null,
    };
  }
}
