import type { ExplainedPage, ExtractedPage, ExtractOptions } from '../../app/read.ts';
import { CrawlerError, EXIT, UsageError } from '../../core/errors.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../../extract/extractor.ts';
import type { TextParts } from '../../extract/text-parts.ts';
import { explanationLine } from '../block-json.ts';
import { blockTable } from '../block-table.ts';
import {
  type Args,
  type Command,
  choiceOf,
  flag,
  flagOf,
  given,
  listOf,
  NETWORK_OPTIONS,
  networkOf,
  print,
  printContent,
  printJson,
  text,
  textOf,
  warn,
} from '../command.ts';
import { FetchProgress } from '../progress.ts';

const FORMATS = ['jsonl', 'text', 'markdown'] as const;
type Format = (typeof FORMATS)[number];
/** Between two pages, as printers know it: a text has none of its own. */
const PAGE_BREAK = '\f\n';

export const extractCommand: Command = {
  name: 'extract <inputs..>',
  summary: 'title, main text, links and metadata of pages, one JSON line a page; or their text',
  options: (argv) =>
    argv
      .positional('inputs', {
        type: 'string',
        describe: 'files, folders, .jsonl, .warc(.gz), files of URLs, URLs, or - for standard input: a page, JSON lines or WARC',
      })
      .options({
        format: text('jsonl, text (main text) or markdown; pages of the last two are parted by a form feed', {
          defaultDescription: 'jsonl',
        }),
        extractor: text(`how main text is found: ${MAIN_TEXT_METHODS.join(', ')}; see the README`, {
          defaultDescription: DEFAULT_MAIN_TEXT_METHOD,
        }),
        explain: flag('why each block of text is in the main text or not, as a table; as JSON lines with --format jsonl'),
        title: flag('the title as the first line of the text'),
        'no-title': flag('Markdown without the title'),
        'no-headings': flag('leave headings out of the text'),
        'no-tables': flag('leave tables out, where there is a text without them'),
        'no-code': flag('leave preformatted text out, where there is a text without it'),
        comments: flag("add readers' comments that the extractor left out"),
        'no-comments': flag("leave readers' comments out, where there is a text without them"),
        links: flag('keep links in Markdown'),
        fields: text('YAML file of field rules: URL patterns, fields and CSS selectors'),
        ...NETWORK_OPTIONS,
      })
      .example('$0 extract page.html', 'what the topic model would see')
      .example('$0 extract pages/ --format markdown', 'the pages of a folder as Markdown')
      .example('$0 extract pages/ --format text --title --no-code --no-comments', 'titles and prose')
      .example('$0 extract page.html --explain', 'which blocks are the main text, and why')
      .example('curl -s https://example.org/ | $0 extract -', 'a page on standard input')
      .example('cat corpus-*.warc.gz | $0 extract -', 'the pages of a WARC on standard input'),
  run: async (args: Args) => {
    const format = choiceOf(args, 'format', FORMATS) ?? (flagOf(args, 'explain') ? 'text' : 'jsonl');
    refuseUnfit(args, format);
    const progress = new FetchProgress();
    const options = {
      fetch: { ...networkOf(args), onProgress: progress.onProgress },
      warn,
      parts: partsOf(args),
      ...given({ fieldRules: textOf(args, 'fields'), extractor: choiceOf(args, 'extractor', MAIN_TEXT_METHODS) }),
    };
    const inputs = listOf(args, 'inputs');
    try {
      return flagOf(args, 'explain')
        ? await explain(inputs, options, format)
        : await extract(inputs, options, format, flagOf(args, 'links'));
    } finally {
      progress.close();
    }
  },
};

/** The pages of each input. One of several that cannot be read is told of and passed over. @returns the exit code */
async function throughPages<P>(inputs: readonly string[], pagesOf: (input: string) => AsyncIterable<P>, take: (page: P) => void) {
  let code: number = EXIT.done;
  for (const input of inputs) {
    try {
      for await (const page of pagesOf(input)) take(page);
    } catch (error) {
      const isOfInput = error instanceof CrawlerError && (error.code === 'DATA' || error.code === 'USAGE');
      if (!isOfInput || inputs.length === 1) throw error;
      warn(error.message);
      code = EXIT.usage;
    }
  }
  return code;
}

function refuseUnfit(args: Args, format: Format): void {
  if (flagOf(args, 'links') && format !== 'markdown') throw new UsageError('--links: is for Markdown; add --format markdown');
  for (const name of ['title', 'comments']) {
    if (flagOf(args, name) && flagOf(args, `no-${name}`))
      throw new UsageError(`--${name}, --no-${name}: exclude each other; give one of them`);
  }
  if (!flagOf(args, 'explain')) return;
  if (format === 'markdown') throw new UsageError('--explain: is a table or JSON lines; leave --format out, or give --format jsonl');
  if (textOf(args, 'fields') !== undefined) throw new UsageError('--explain: reads no fields; leave --fields out');
}

/** Parts not named are as they are by default. */
function partsOf(args: Args): TextParts {
  const unlessNo = (name: string): boolean | undefined => (flagOf(args, `no-${name}`) ? false : flagOf(args, name) ? true : undefined);
  return given({
    headings: unlessNo('headings'),
    tables: unlessNo('tables'),
    code: unlessNo('code'),
    comments: unlessNo('comments'),
    title: unlessNo('title'),
  });
}

async function extract(inputs: readonly string[], options: ExtractOptions, format: Format, links: boolean): Promise<number> {
  const { extractPages } = await import('../../app/read.ts');
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
  const { explainPages } = await import('../../app/read.ts');
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
  printJson({ id, url, ...extraction });
}

function printText(page: ExtractedPage, format: Exclude<Format, 'jsonl'>, before: number): void {
  const { extraction, markdown } = page;
  sayWarnings(page);
  const content = format === 'text' ? extraction.text : (markdown ?? '');
  if (before > 0) printContent(PAGE_BREAK);
  printContent(content === '' || content.endsWith('\n') ? content : `${content}\n`);
}
