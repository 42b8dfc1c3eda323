import { EXIT } from '../../../base/core/errors.ts';
import { counted } from '../../../base/text/number-text.ts';
import { listPageUrls, type UrlsOfPage } from '../../app/list-page-urls.ts';
import { networkOf, print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { FetchProgress } from '../progress.ts';

export async function runLinks(options: CommandOptions<'links'>): Promise<number> {
  const { inputs, format = 'jsonl', tag } = options;
  const progress = new FetchProgress();
  const how = { fetch: { ...networkOf(options), onProgress: progress.onProgress }, warn };
  const tags = tag === undefined ? null : new Set(tag.map((name) => name.toLowerCase()));
  try {
    for (const input of inputs) for await (const page of listPageUrls(input, how)) show(page, format, tags);
  } finally {
    progress.close();
  }
  return EXIT.done;
}

function show({ id, page, urls }: UrlsOfPage, format: 'jsonl' | 'urls', tags: ReadonlySet<string> | null): void {
  const shown = urls.filter(({ tag }) => tags === null || tags.has(tag));
  if (page === null) warn(`${id}: its own URL is unknown, so only its absolute URLs are listed`);
  if (format === 'urls') for (const url of new Set(shown.map((one) => one.url))) print(url);
  else for (const one of shown) printJson({ page: page ?? id, ...one });
  if (shown.length === 0) warn(`${id}: no URL${tags === null ? '' : ` in ${counted(tags.size, 'tag')} of this name`}`);
}
