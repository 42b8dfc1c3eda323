import { expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
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

test('the other text is the visible text outside the main text, in the order of the page', () => {
  const sentence = 'Sour bread needs a starter of flour and water, and some days of patience before the first loaf. ';
  const page = `<html><body><nav><a href=/a>All recipes</a> <a href=/b>About us</a></nav><main><p>${sentence.repeat(8)}</p></main>
    <p hidden>unseen</p><footer>Imprint</footer></body></html>`;
  const { text, otherText } = extract(page);
  expect(text).toContain('Sour bread');
  expect(otherText.replace(/\s+/g, ' ')).toBe('All recipes About us Imprint');
  expect(extract('just text', { 'content-type': 'text/plain' }).otherText).toBe('');
});
