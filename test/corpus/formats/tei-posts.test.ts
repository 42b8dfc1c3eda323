import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { TeiWriter } from '../../../src/corpus/formats/tei-writer.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from '../../reading/extract/page.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const golden = (name: string) => page(readFileSync(fileURLToPath(new URL(`../../golden/${name}.html`, import.meta.url))));

function bodyOf(name: string): { readonly body: string; readonly text: string } {
  const source = golden(name);
  const { text } = extractor.extract(source);
  const writer = new TeiWriter();
  expect(extractor.writeMarkup(source, text, writer)).toBe(true);
  return { body: writer.finish(), text };
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu);

test.each(['forum-phpbb', 'forum-vbulletin', 'blog-full-posts', 'forum-nested', 'mail-mhonarc'])('%s: a division for each post', (name) => {
  const { body, text } = bodyOf(name);
  const { posts = [] } = extractor.extract(golden(name));
  expect(Array.from(body.matchAll(/<div type="post" n="(\d+)">/g), ([, n]) => Number(n))).toEqual(posts.map((_, i) => i + 1));
  expect(body.match(/<div\b/g)?.length).toBe(body.match(/<\/div>/g)?.length);
  expect(words(body.replaceAll(/<[^>]*>/g, ' ').replaceAll('&gt;', ' '))).toEqual(words(text));
});

test('the quote of an earlier post is a quote, also in a table', () => {
  expect(bodyOf('forum-phpbb').body).toMatch(/<quote>[\s\S]*Is the warp beam to blame\?[\s\S]*<\/quote>/);
  expect(bodyOf('forum-vbulletin').body).toMatch(/<quote>[\s\S]*Does beeswax harm the wood\?[\s\S]*<\/quote>/);
});
