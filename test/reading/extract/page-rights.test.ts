/** Statements of a page and its headers about rights and use, as written. */
import { expect, test } from 'vitest';
import { MAX_STATEMENT_CHARS } from '../../../src/base/web/use-statements.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
const rightsOf = (html: string, headers: Readonly<Record<string, string>> = {}) =>
  extractor.extract(page(html, undefined, headers)).rights?.map(({ protocol, from, statement, uses }) => [protocol, from, statement, uses]);
const [ALLOW, DISALLOW] = ['allow', 'disallow'];
const MINING = { mining: DISALLOW, 'train-ai': DISALLOW };

test('a page that states nothing has no statements', () => {
  expect(rightsOf('<meta name=robots content=noindex><p>text', { 'x-robots-tag': 'nofollow' })).toBeUndefined();
});

test.each<[string, string, Record<string, string>, unknown[][]]>([
  [
    'Content-Usage',
    '',
    { 'content-usage': 'train-ai=n, search=y' },
    [['content-usage', 'header', 'train-ai=n, search=y', { 'train-ai': DISALLOW, search: ALLOW }]],
  ],
  ['Content-Signal', '', { 'content-signal': 'ai-train=no' }, [['content-signal', 'header', 'ai-train=no', { 'train-ai': DISALLOW }]]],
  [
    'TDM, header and metas',
    '<meta name="TDM-Reservation" content=" 0 ">',
    { 'tdm-reservation': '1', 'tdm-policy': 'https://h.example/p' },
    [
      ['tdm', 'header', 'tdm-reservation: 1', MINING],
      ['tdm', 'header', 'tdm-policy: https://h.example/p', {}],
      ['tdm', 'meta', 'tdm-reservation: 0', { mining: ALLOW, 'train-ai': ALLOW }],
    ],
  ],
  ['TDM, another value', '<meta name="tdm-reservation" content="yes">', {}, [['tdm', 'meta', 'tdm-reservation: yes', {}]]],
  [
    'noai',
    '<meta name="robots" content="noindex, NoAI">',
    { 'x-robots-tag': 'otherbot: noai\nForager: noimageai' },
    [
      ['noai', 'header', 'noimageai', {}],
      ['noai', 'meta', 'noai', { 'train-ai': DISALLOW }],
    ],
  ],
  [
    'RSL, by its media type',
    '<link rel="license" type="application/rsl+xml" href="/l.xml">',
    { link: '<https://h.example/h.xml>; rel="license"; type="application/rsl+xml"' },
    [
      ['rsl', 'link', 'https://h.example/l.xml', {}],
      ['rsl', 'header', 'https://h.example/h.xml', {}],
    ],
  ],
  [
    'licences',
    '<link rel=license href="https://creativecommons.org/licenses/by/4.0/"><p><a rel="license" href="/terms">terms</a>' +
      '<script type="application/ld+json">{"@type":"Article","license":"https://creativecommons.org/publicdomain/zero/1.0/"}</script>',
    {},
    [
      ['cc', 'link', 'https://creativecommons.org/licenses/by/4.0/', {}],
      ['cc', 'data', 'https://creativecommons.org/publicdomain/zero/1.0/', {}],
      ['license', 'text', 'https://h.example/terms', {}],
    ],
  ],
  [
    'a licence by a meta',
    '<meta name="dcterms.license" content="https://creativecommons.org/licenses/by/4.0/">',
    {},
    [['cc', 'meta', 'https://creativecommons.org/licenses/by/4.0/', {}]],
  ],
])('%s', (_name, head, headers, expected) => {
  const html = `<html><head><base href="https://h.example/">${head}</head><body><p>Some text.</body></html>`;
  expect(rightsOf(html, headers)).toEqual(expected);
});

test('RSL in the page is read for that page, and kept as written', () => {
  const rsl =
    '<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>';
  expect(rightsOf(`<script type="application/rsl+xml">${rsl}</script><p>text`)).toEqual([['rsl', 'script', rsl, { 'train-ai': DISALLOW }]]);
});

test('an RSL document is no licence of the metadata', () => {
  const html = '<link rel="license" type="application/rsl+xml" href="/l.xml"><link rel="license" href="/terms"><p>text';
  expect(extractor.extract(page(html)).metadata.licences.map((url) => new URL(url).pathname)).toEqual(['/terms']);
});

test('files other than HTML have the statements of their headers', () => {
  const headers = { 'content-type': 'text/plain', 'content-usage': 'train-ai=n', 'tdm-reservation': '1' };
  expect(rightsOf('Some text.', headers)?.map(([protocol]) => protocol)).toEqual(['content-usage', 'tdm']);
});

test('statements are distinct, at most fifty, and cut', () => {
  const metas = Array.from({ length: 200 }, (_, i) => `<meta name="tdm-policy" content="https://h.example/${i % 100}${'x'.repeat(2000)}">`);
  const found = rightsOf(`${metas.join('')}<p>text`) ?? [];
  expect(found).toHaveLength(50);
  expect(found.map(([, , statement]) => String(statement).length)).toEqual(Array(50).fill(MAX_STATEMENT_CHARS));
});
