import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Extraction, Outlink, PageMetadata, Post } from '../../../src/base/core/types.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

interface Golden {
  readonly url: string;
  readonly title: string;
  readonly lang: string | null;
  readonly noindex: boolean;
  readonly text: readonly string[];
  readonly links: readonly string[];
  readonly metadata: PageMetadata;
  readonly posts?: readonly Post[];
}

const folder = fileURLToPath(new URL('../../golden/', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -5));
const extractor = pageExtractor({ productToken: 'forager' });

function line(link: Outlink): string {
  return `${link.zone} ${link.url} [${link.anchorText || link.imageAlt}] (${link.context}) ${link.tagPath}`;
}

function golden(url: string, extraction: Extraction): Golden {
  const { title, lang, noindex, text, metadata, posts } = extraction;
  return {
    url,
    title,
    lang,
    noindex,
    text: text === '' ? [] : text.split('\n'),
    links: extraction.outlinks.map(line),
    metadata,
    ...(posts && { posts }),
  };
}

test('there are golden pages', () => expect(names.length).toBeGreaterThanOrEqual(8));

test.each(names)('golden page %s', (name) => {
  const expected = JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Golden;
  const extraction = extractor.extract(page(readFileSync(`${folder}${name}.html`), expected.url));
  expect(golden(expected.url, extraction)).toEqual(expected);
  expect(extraction.warnings).toEqual([]);
});

test('extractor none gives all visible text', () => {
  const all = pageExtractor({ productToken: 'forager', extractor: 'none' });
  const { text } = all.extract(page(readFileSync(`${folder}article.html`)));
  for (const words of ['Harbour', 'Maren Oakes', 'A slow recovery', 'Sign up', 'Related stories', 'Copyright'])
    expect(text).toContain(words);
  expect(text).not.toContain('not text');
});
