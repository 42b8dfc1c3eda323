/** The text of a page that shows none, out of JSON-LD and attributes. */
import { describe, expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
const read = (html: string) => extractor.extract(page(html, 'https://news.example/ferry'));

const BODY =
  'The ferry across the fjord stops at the end of the month, the council decided on Tuesday.\n\nThe bridge, which opened in spring, takes ten minutes.';
const script = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const shell = (head: string, body = '<div id="root"></div><script src="/app.js"></script>') =>
  `<html><head><title>Ferry stops</title>${head}</head><body>${body}</body></html>`;

describe('a page that shows no text', () => {
  test('has the body of its article, and is no wall', () => {
    const { text, textSource, wall, warnings } = read(
      shell(script({ '@type': 'NewsArticle', headline: 'Ferry stops', articleBody: BODY })),
    );
    expect({ text, textSource, wall, warnings }).toEqual({ text: BODY, textSource: 'json-ld', wall: undefined, warnings: [] });
  });

  test.each([
    [
      'a description of a product, in HTML',
      script({
        '@type': 'Product',
        description: '<p>A kettle of copper, with a handle of beech.</p><p>It holds two litres &amp; whistles.</p>',
      }),
    ],
    [
      'the main entity of its page',
      script({
        '@type': 'WebPage',
        mainEntity: {
          '@type': 'JobPosting',
          description: 'A kettle of copper, with a handle of beech.<br>It holds two litres & whistles.',
        },
      }),
    ],
    [
      'an entry of a graph',
      script({
        '@graph': [
          { '@type': 'Organization', description: 'x'.repeat(500) },
          { '@type': 'SocialMediaPosting', text: 'A kettle of copper, with a handle of beech.\r\nIt holds two litres & whistles.' },
        ],
      }),
    ],
  ])('has %s', (_, head) => {
    expect(read(shell(head)).text).toBe('A kettle of copper, with a handle of beech.\n\nIt holds two litres & whistles.');
  });

  test('has the attribute of microdata', () => {
    const { text, textSource } = read(
      shell(
        '',
        `<div itemscope itemtype="https://schema.org/Article"><meta itemprop="articleBody" content="${BODY.replaceAll('\n\n', ' ')}"></div>`,
      ),
    );
    expect([text, textSource]).toEqual([BODY.replaceAll('\n\n', ' '), 'microdata']);
  });

  test('labels of a menu are no text', () => {
    const { text, otherText } = read(
      shell(script({ '@type': 'Article', articleBody: BODY }), '<ul><li>Home</li><li>News</li><li>Contact</li></ul>'),
    );
    expect(text).toBe(BODY);
    expect(otherText).toContain('Contact');
  });

  test('Markdown has it below the title', () => {
    const { markdown } = extractor.extractMarkdown(page(shell(script({ '@type': 'Article', articleBody: BODY }))));
    expect(markdown).toBe(`# Ferry stops\n\n${BODY}`);
  });
});

describe('other pages keep their own text', () => {
  const own =
    '<main><h1>Ferry stops</h1><p>The last boat leaves at nine in the evening. Tickets for the year are paid back at the harbour office.</p></main>';

  test.each([
    ['with sentences', shell(script({ '@type': 'Article', articleBody: BODY.repeat(5) }), own)],
    ['with a short statement', shell(script({ '@type': 'Article', articleBody: 'Ferry stops.' }))],
    ['with a list of others', shell(script({ '@type': 'ItemList', itemListElement: [{ '@type': 'Article', articleBody: BODY }] }))],
    ['with a description of the site', shell(script({ '@type': 'WebSite', description: BODY }))],
    ['with a damaged script', shell(`<script type="application/ld+json">{"@type": "Article", "articleBody": "${'x '.repeat(80)}</script>`)],
  ])('%s', (_, html) => {
    const { text, textSource } = read(html);
    expect(textSource).toBeUndefined();
    expect(text).not.toContain('The bridge, which opened');
  });
});
