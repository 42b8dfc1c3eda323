import { expect, test } from 'vitest';
import { PageExtractor } from '../../src/extract/extractor.ts';
import { page } from './page.ts';

const extractor = new PageExtractor({ productToken: 'Forager' });
const extract = (html: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  extractor.extract(page(html, undefined, headers));

test('plain text comes back as it is', () => {
  const text = 'one <a href="x">two</a>\n\n  three &amp;\n';
  const plain = extract(text, { 'content-type': 'text/plain', 'x-robots-tag': 'noindex' });
  expect(plain).toMatchObject({ text, outlinks: [], title: '', noindex: true, nofollow: false });
});

test('bytes are decoded by their charset', () => {
  const latin = new Uint8Array([...'<p>caf'].map((c) => c.charCodeAt(0)).concat(0xe9));
  expect(extract(latin, { 'content-type': 'text/html; charset=iso-8859-1' })).toMatchObject({ text: 'café', charset: 'windows-1252' });
});
