import { expect, test } from 'vitest';
import { SlopeExtractor } from '../../src/extract/extractor.ts';
import { page } from './page.ts';

const extractor = new SlopeExtractor({ productToken: 'Forager' });
const extract = (html: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  extractor.extract(page(html, undefined, headers));

test('title: the title element, else og:title, else the first heading', () => {
  const og = '<meta property="og:title" content="Og">';
  expect(extract(`<title>T</title>${og}<h1>H</h1>`).title).toBe('T');
  expect(extract(`<title> </title>${og}<h1>H</h1>`).title).toBe('Og');
  expect(extract('<h1>H</h1>').title).toBe('H');
  expect(extract('<p>text</p>').title).toBe('');
});

test('language: the page, else the header', () => {
  expect(extract('<html lang="pt_BR">', { 'content-language': 'en' }).lang).toBe('pt-br');
  expect(extract('<html lang="">', { 'content-language': 'fr, en' }).lang).toBe('fr');
  expect(extract('<p>').lang).toBeNull();
});

test('robots: metas for all and for us, and the header', () => {
  const of = (html: string, header?: string) => {
    const { noindex, nofollow } = extract(html, header === undefined ? {} : { 'x-robots-tag': header });
    return [noindex, nofollow];
  };
  expect(of('<p>x')).toEqual([false, false]);
  expect(of('<meta name="robots" content="NOINDEX">')).toEqual([true, false]);
  expect(of('<meta name="forager" content="nofollow">')).toEqual([false, true]);
  expect(of('<meta name="otherbot" content="none">')).toEqual([false, false]);
  expect(of('<p>x', 'noindex, nofollow')).toEqual([true, true]);
  expect(of('<p>x', 'otherbot: noindex')).toEqual([false, false]);
});

test('metadata: names in order of exactness, the first time element last', () => {
  const html =
    '<meta name="date" content="2001"><meta property="article:published_time" content=" 2002 "><meta name="DC.creator" content="A. Author">' +
    '<meta property="og:description" content="Og"><meta name="description" content=""><link rel="canonical" href="/c#f"><time datetime="1999">';
  expect(extract(html).metadata).toEqual({
    canonical: 'https://www.example.com/c',
    description: 'Og',
    author: 'A. Author',
    siteName: null,
    published: '2002',
  });
  expect(extract('<time datetime="1999-01-01">x</time><time datetime="2000">').metadata.published).toBe('1999-01-01');
});

test('plain text comes back as it is', () => {
  const text = 'one <a href="x">two</a>\n\n  three &amp;\n';
  const plain = extract(text, { 'content-type': 'text/plain', 'x-robots-tag': 'noindex' });
  expect(plain).toMatchObject({ text, outlinks: [], title: '', noindex: true, nofollow: false });
});

test('bytes are decoded by their charset', () => {
  const latin = new Uint8Array([...'<p>caf'].map((c) => c.charCodeAt(0)).concat(0xe9));
  expect(extract(latin, { 'content-type': 'text/html; charset=iso-8859-1' })).toMatchObject({ text: 'café', charset: 'windows-1252' });
});
