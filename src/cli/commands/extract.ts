import type { ExtractedPage, ExtractOptions } from '../../app/read.ts';
import { UsageError } from '../../core/errors.ts';
import { MAIN_TEXT_METHODS } from '../../extract/extractor.ts';
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
  printJson,
  text,
  textOf,
  warn,
} from '../command.ts';

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
        describe: 'files, folders, .jsonl, .warc(.gz), files of URLs, URLs, or - for standard input',
      })
      .options({
        format: text('jsonl, text (main text) or markdown; pages of the last two are parted by a form feed', {
          defaultDescription: 'jsonl',
        }),
        extractor: text('how main text is found: slope, block, bte or none; see the README', { defaultDescription: 'slope' }),
        links: flag('keep links in Markdown'),
        fields: text('YAML file of field rules: URL patterns, fields and CSS selectors'),
        ...NETWORK_OPTIONS,
      })
      .example('$0 extract page.html', 'what the topic model would see')
      .example('$0 extract pages/ --format markdown', 'the pages of a folder as Markdown')
      .example('curl -s https://example.org/ | $0 extract -', 'a page on standard input'),
  run: async (args: Args) => {
    const format = choiceOf(args, 'format', FORMATS) ?? 'jsonl';
    const links = flagOf(args, 'links');
    if (links && format !== 'markdown') throw new UsageError('--links: is for Markdown; add --format markdown');
    const markdown: ExtractOptions['markdown'] = links ? 'with-links' : 'without-links';
    const options = {
      fetch: networkOf(args),
      warn,
      ...given({ fieldRules: textOf(args, 'fields'), extractor: choiceOf(args, 'extractor', MAIN_TEXT_METHODS) }),
      ...(format === 'markdown' ? { markdown } : {}),
    };
    const { extractPages } = await import('../../app/read.ts');
    let count = 0;
    for (const input of listOf(args, 'inputs')) {
      for await (const page of extractPages(input, options)) {
        if (format === 'jsonl') printLine(page);
        else printText(page, format, count);
        count += 1;
      }
    }
    return 0;
  },
};

function printLine({ id, url, extraction }: ExtractedPage): void {
  printJson({ id, url, ...extraction });
}

function printText({ id, extraction, markdown }: ExtractedPage, format: Exclude<Format, 'jsonl'>, before: number): void {
  for (const warning of extraction.warnings) warn(`${id}: ${warning}`);
  const content = format === 'text' ? extraction.text : (markdown ?? '');
  if (before > 0) process.stdout.write(PAGE_BREAK);
  process.stdout.write(content === '' || content.endsWith('\n') ? content : `${content}\n`);
}
