/** Extract pages from anywhere: one record a page. */
import { z } from 'zod';
import type { CanonicalUrl, Extraction } from '../core/types.ts';
import { PRODUCT_TOKEN } from '../core/version.ts';
import { openFieldRules } from '../crawl-dir/field-rules-file.ts';
import type { PageExplanation } from '../extract/explanation.ts';
import { PageExtractor } from '../extract/extractor.ts';
import { DEFAULT_MAIN_TEXT_METHOD, type MainTextMethod } from '../extract/text-methods.ts';
import type { TextParts } from '../extract/text-parts.ts';
import { INPUT, type InputOptions, inputPages } from '../input/inputs.ts';
import type { SourcePage } from '../input/source-page.ts';
import { checkOptions, type OptionTable } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { flag } from '../settings/kinds.ts';
import { canonicalize } from '../web/url.ts';

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

export interface ExplainOptions extends InputOptions {
  /** How main text is found. Default `DEFAULT_MAIN_TEXT_METHOD`. */
  readonly extractor?: MainTextMethod;
  /** Which parts of the main text are wanted. Default: all that the extractor finds. */
  readonly parts?: TextParts;
}

export interface ExtractOptions extends ExplainOptions {
  /** YAML file of field rules. */
  readonly fieldRules?: string;
  /** With the main text as Markdown, with or without its links. Default: without Markdown. */
  readonly markdown?: 'with-links' | 'without-links';
}

const checks = checksOf(COMMANDS.extract);
const isShown = flag.check.exactOptional();

const EXPLAIN: OptionTable<ExplainOptions> = {
  ...INPUT,
  extractor: checks.extractor,
  parts: z.strictObject({ headings: isShown, tables: isShown, code: isShown, comments: isShown, title: isShown }, 'not an object of parts'),
};

export const EXTRACT: OptionTable<ExtractOptions> = {
  ...EXPLAIN,
  fieldRules: checks.fieldRules,
  markdown: z.enum(['with-links', 'without-links'], 'not one of with-links, without-links'),
};

export interface ExplainedPage {
  readonly id: string;
  /** null when not known. */
  readonly url: CanonicalUrl | null;
  readonly extraction: Extraction;
  readonly extractor: MainTextMethod;
  /** null for plain text, which is taken as it is. */
  readonly explanation: PageExplanation | null;
}

/** The pages of an input, extracted one by one. @throws UsageError, DataError: see `inputPages` and `openFieldRules`. */
export async function* extractPages(input: string, options: ExtractOptions): AsyncGenerator<ExtractedPage> {
  checkOptions('extractPages', EXTRACT, options);
  const fields = options.fieldRules === undefined ? null : (await openFieldRules(options.fieldRules)).reader;
  const { extractor: method = DEFAULT_MAIN_TEXT_METHOD, parts = {} } = options;
  const extractor = new PageExtractor({ productToken: PRODUCT_TOKEN, ...(fields && { fields }), extractor: method, parts });
  for await (const page of inputPages(input, options)) yield extractPage(page, extractor, options.markdown);
}

export function extractPage(page: SourcePage, extractor: PageExtractor, markdown?: ExtractOptions['markdown']): ExtractedPage {
  const { id, url, headers, body } = page;
  const source = { url: url ?? UNKNOWN, headers, body };
  if (markdown === undefined) return { id, url, extraction: extractor.extract(source), markdown: null };
  // Links of a page without a URL lead nowhere.
  return { id, url, ...extractor.extractMarkdown(source, { links: markdown === 'with-links' && url !== null }) };
}

/** The pages of an input, each with why its blocks are main text or not. @throws UsageError, DataError: see `inputPages`. */
export async function* explainPages(input: string, options: ExplainOptions): AsyncGenerator<ExplainedPage> {
  checkOptions('explainPages', EXPLAIN, options);
  const { extractor: method = DEFAULT_MAIN_TEXT_METHOD, parts = {} } = options;
  const extractor = new PageExtractor({ productToken: PRODUCT_TOKEN, extractor: method, parts });
  for await (const { id, url, headers, body } of inputPages(input, options)) {
    yield { id, url, extractor: method, ...extractor.explain({ url: url ?? UNKNOWN, headers, body }) };
  }
}
