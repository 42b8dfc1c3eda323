import { CrawlerError, EXIT, UsageError } from '../../../base/core/errors.ts';
import { failureText } from '../../../base/core/failure-words.ts';
import { systemFault } from '../../../base/core/system-errors.ts';
import type { TextParts } from '../../../reading/extract/text-parts.ts';
import type { ExplainedPage, ExtractOptions } from '../../app/extract-pages.ts';
import type { ExtractedPage } from '../../app/page-in-memory.ts';
import { explanationLine } from '../block-json.ts';
import { blockTable } from '../block-table.ts';
import { given, networkOf, print, printContent, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { FetchProgress } from '../progress.ts';

export async function runExtract(options: CommandOptions<'extract'>): Promise<number> {
  const { inputs, explain: explains = false, links = false, fieldRules, extractor } = options;
  const format = options.format ?? (explains ? 'text' : 'jsonl');
  refuseUnfit(options, format);
  const progress = new FetchProgress();
  const how = {
    fetch: { ...networkOf(options), onProgress: progress.onProgress },
    warn,
    parts: partsOf(options),
    ...given({ fieldRules, extractor }),
  };
  try {
    return explains ? await explain(inputs, how, format) : await extract(inputs, how, format, links);
  } finally {
    progress.close();
  }
}

type Format = 'jsonl' | 'text' | 'markdown';
/** Separates two pages, as for printers: text of a page has no form feed. */
const PAGE_BREAK = '\f\n';

/** The pages of each input. One unreadable input among several is reported and skipped. @returns the exit code */
async function throughPages<P>(inputs: readonly string[], pagesOf: (input: string) => AsyncIterable<P>, take: (page: P) => void) {
  let code: number = EXIT.done;
  for (const input of inputs) {
    try {
      for await (const page of pagesOf(input)) take(page);
    } catch (error) {
      if (!isOfInput(error) || inputs.length === 1) throw error;
      warn(error.message);
      code = Math.max(code, error.exitCode);
    }
  }
  return code;
}

/** True for an error of one input: its content, or missing permission to read it. */
function isOfInput(error: unknown): error is CrawlerError {
  return error instanceof CrawlerError && (error.code === 'DATA' || error.code === 'USAGE' || systemFault(error) !== null);
}

type Options = CommandOptions<'extract'>;

function refuseUnfit({ explain: explains, fieldRules }: Options, format: Format): void {
  if (!explains) return;
  if (format === 'markdown') throw new UsageError('--explain: prints a table or JSON lines; omit --format, or give --format jsonl');
  if (fieldRules !== undefined) throw new UsageError('--explain: reads no fields; omit --fields');
}

/** Parts that are not named have their default. */
function partsOf({ headings, tables, code, comments, title, postHeads }: Options): TextParts {
  return given({ headings, tables, code, comments, title, postHeads });
}

async function extract(inputs: readonly string[], options: ExtractOptions, format: Format, links: boolean): Promise<number> {
  const { extractPages } = await import('../../app/extract-pages.ts');
  const markdown: ExtractOptions['markdown'] = links ? 'with-links' : 'without-links';
  const asked = format === 'markdown' ? { ...options, markdown } : options;
  let count = 0;
  return throughPages(
    inputs,
    (input) => extractPages(input, asked),
    (page) => {
      if (format === 'jsonl') printLine(page);
      else printText(page, format, count);
      count += 1;
    },
  );
}

async function explain(inputs: readonly string[], options: ExtractOptions, format: Format): Promise<number> {
  const { explainPages } = await import('../../app/extract-pages.ts');
  let count = 0;
  return throughPages(
    inputs,
    (input) => explainPages(input, options),
    (page) => {
      if (format === 'jsonl') printJson(explanationLine(page));
      else printTable(page, count);
      count += 1;
    },
  );
}

function printTable(page: ExplainedPage, before: number): void {
  sayWarnings(page);
  if (before > 0) print('');
  for (const line of blockTable(page)) print(line);
}

function sayWarnings({ id, extraction }: Pick<ExtractedPage, 'id' | 'extraction'>): void {
  for (const warning of extraction.warnings) warn(`${id}: ${warning}`);
}

function printLine({ id, url, extraction }: ExtractedPage): void {
  // The other warnings are in the line; this one says why there is no page.
  if (extraction.wall !== undefined) warn(`${id}: ${failureText(extraction.wall)}`);
  printJson({ id, url, ...extraction });
}

function printText(page: ExtractedPage, format: Exclude<Format, 'jsonl'>, before: number): void {
  const { extraction, markdown } = page;
  sayWarnings(page);
  const content = format === 'text' ? extraction.text : (markdown ?? '');
  if (before > 0) printContent(PAGE_BREAK);
  printContent(content === '' || content.endsWith('\n') ? content : `${content}\n`);
}
