/** Extracts pages from any input: one record per page. */
import type { CanonicalUrl, Extraction } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { openFieldRules } from '../../crawling/crawl-dir/field-rules-file.ts';
import { INPUT, type InputOptions, inputPages } from '../../crawling/input/inputs.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import type { PageExplanation } from '../../reading/extract/explanation.ts';
import { DEFAULT_MAIN_TEXT_METHOD, type MainTextMethod } from '../../reading/extract/text-method-names.ts';
import type { TextParts } from '../../reading/extract/text-parts.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { type ExtractedPage, extractPage, READING, readable } from './page-in-memory.ts';

export interface ExplainOptions extends InputOptions {
  /** Method that finds the main text. Default `DEFAULT_MAIN_TEXT_METHOD`. */
  readonly extractor?: MainTextMethod;
  /** Parts of the main text to include. Default: all that the extractor finds. */
  readonly parts?: TextParts;
}

export interface ExtractOptions extends ExplainOptions {
  /** YAML file of field rules. */
  readonly fieldRules?: string;
  /** Also return the main text as Markdown, with or without its links. Default: no Markdown. */
  readonly markdown?: 'with-links' | 'without-links';
}

const checks = checksOf(COMMANDS.extract);
const EXPLAIN: OptionTable<ExplainOptions> = {
  ...INPUT,
  extractor: READING.extractor,
  parts: READING.parts,
};

export const EXTRACT: OptionTable<ExtractOptions> = {
  ...EXPLAIN,
  fieldRules: checks.fieldRules,
  markdown: READING.markdown,
};

export interface ExplainedPage {
  readonly id: string;
  /** null if not known. */
  readonly url: CanonicalUrl | null;
  readonly extraction: Extraction;
  readonly extractor: MainTextMethod;
  /** null for plain text, which is used as it is. */
  readonly explanation: PageExplanation | null;
}

/** See `extractPages` of the library. */
export async function* extractPages(input: string, options: ExtractOptions = {}): AsyncGenerator<ExtractedPage> {
  checkOptions('extractPages', EXTRACT, options);
  const fields = options.fieldRules === undefined ? null : (await openFieldRules(options.fieldRules)).reader;
  const { extractor: method = DEFAULT_MAIN_TEXT_METHOD, parts = {} } = options;
  const extractor = pageExtractor({ productToken: PRODUCT_TOKEN, ...(fields && { fields }), extractor: method, parts });
  for await (const page of inputPages(input, options)) yield extractPage(page, extractor, options.markdown);
}

/** See `explainPages` of the library. */
export async function* explainPages(input: string, options: ExplainOptions = {}): AsyncGenerator<ExplainedPage> {
  checkOptions('explainPages', EXPLAIN, options);
  const { extractor: method = DEFAULT_MAIN_TEXT_METHOD, parts = {} } = options;
  const extractor = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: method, parts });
  for await (const page of inputPages(input, options)) {
    yield { id: page.id, url: page.url, extractor: method, ...extractor.explain(readable(page)) };
  }
}
