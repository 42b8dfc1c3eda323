/** Dates of URLs and header fields, and the source of each. */

import { describe, expect, test } from 'vitest';
import { dateOfUrl } from '../../../src/reading/extract/url-date.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const NOW = Date.UTC(2024, 5, 15);
const extractor = pageExtractor({ productToken: 'Forager', date: () => NOW });
const HTML = '<title>The lock</title><h1>The lock</h1><p>The lock keeper wrote down each boat, its cargo and the weather.</p>';

describe('the path of a URL', () => {
  test.each([
    ['/2021/05/03/the-lock', '2021-05-03'],
    ['/news/2021/5/3/the-lock.html', '2021-05-03'],
    ['/blog/2021-05-03-the-lock/', '2021-05-03'],
    ['/posts/2021-05-03/the-lock', '2021-05-03'],
    ['/20210503/the-lock', '2021-05-03'],
    ['/world/2021/may/03/the-lock', '2021-05-03'],
    ['/2021/05/the-lock', '2021-05'],
    ['/2021/05/03/', null],
    ['/2021/05/', null],
    ['/2021/05/page/2/', null],
    ['/2021/13/the-lock', null],
    ['/2021/02/30/the-lock', null],
    ['/events/2021/05/03/opening-of-the-lock', null],
    ['/wp-content/uploads/2021/05/the-lock.html', null],
    ['/archive/2021/05/03/the-lock', null],
    ['/docs/2021.05.03/the-lock', null],
    ['/item/20210503', null],
    ['/item/3202105031/the-lock', null],
    ['/1788/03/01/the-lock', null],
    ['/the-lock-of-2021', null],
    ['/%E0%A4%A/2021/05/03/the-lock', null],
  ])('%s: %s', (path, date) => expect(dateOfUrl(`https://canal.example${path}`)).toBe(date));

  test('is the last source, and no day to come or after the last change', () => {
    const read = (path: string, html = HTML) => extractor.extract(page(html, `https://canal.example${path}`));
    expect(read('/2021/05/03/the-lock')).toMatchObject({
      metadata: { published: '2021-05-03' },
      creditSources: { authors: null, published: 'url', modified: null },
    });
    expect(read('/2024/07/03/the-lock').metadata.published).toBeNull();
    expect(read('/2021/05/03/the-lock', HTML.replace('</h1>', '</h1><p>Published on 2 May 2021</p>')).metadata.published).toBe(
      '2021-05-02',
    );
    expect(
      read('/2021/05/03/the-lock', `<meta property="article:modified_time" content="2019-01-02">${HTML}`).metadata.published,
    ).toBeNull();
  });
});

describe('Last-Modified', () => {
  const DATE = 'Sat, 15 Jun 2024 10:00:00 GMT';
  const read = (headers: Record<string, string>, html = HTML) => extractor.extract(page(html, undefined, { date: DATE, ...headers }));

  test('is the last source of the last change', () => {
    expect(read({ 'last-modified': 'Mon, 03 May 2021 10:14:00 GMT' })).toMatchObject({
      metadata: { published: null, modified: '2021-05-03T10:14:00Z' },
      creditSources: { authors: null, published: null, modified: 'http' },
    });
    const stating = `<meta name="last-modified" content="2020-01-02">${HTML}`;
    expect(read({ 'last-modified': 'Mon, 03 May 2021 10:14:00 GMT' }, stating).metadata.modified).toBe('2020-01-02');
  });

  test.each<readonly [reason: string, headers: Record<string, string>]>([
    ['made for the request', { 'last-modified': DATE }],
    ['made for one before it', { 'last-modified': 'Sat, 15 Jun 2024 02:00:00 GMT' }],
    ['never kept', { 'last-modified': 'Mon, 03 May 2021 10:14:00 GMT', 'cache-control': 'private, no-store' }],
    ['of a clock that was never set', { 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['to come', { 'last-modified': 'Mon, 03 May 2027 10:14:00 GMT' }],
    ['no date', { 'last-modified': 'yesterday' }],
  ])('%s', (_, headers) => {
    const { metadata, creditSources } = read(headers);
    expect(metadata.modified).toBeNull();
    expect(creditSources).toBeUndefined();
  });

  test('no change is before the publication', () => {
    const html = `<meta property="article:published_time" content="2022-01-02">${HTML}`;
    expect(read({ 'last-modified': 'Mon, 03 May 2021 10:14:00 GMT' }, html).metadata).toMatchObject({
      published: '2022-01-02',
      modified: null,
    });
  });
});

test('times and rel=author have a source too', () => {
  const html = HTML.replace('</h1>', '</h1><p><a rel=author href="/ada">Ada Vale</a>, <time>3 May 2021</time></p>');
  expect(extractor.extract(page(html)).creditSources).toEqual({ authors: 'rel', published: 'time', modified: null });
});
