/** Text as readers of a page see it: what hides it, and what does not. */

import { describe, expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';
import { SEEN_PAGES } from './seen-pages.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const all = pageExtractor({ productToken: 'forager', extractor: 'none' });

test.each(SEEN_PAGES)('$name', ({ html, lines }) => {
  expect(all.extract(page(html)).text.split(/\n+/)).toEqual(lines);
});

/** In Markdown, white space at the ends of lines and the signs of markup apart. */
test.each(SEEN_PAGES)('$name, as Markdown', ({ html, lines }) => {
  const { markdown } = all.extractMarkdown(page(html));
  const words = (text: string) => text.replaceAll(/[\s#`|\\*-]+/g, '');
  expect(words(markdown)).toBe(words(lines.join('')));
});

const PROSE = [
  'The miller keeps a slate beside the door, on which the hours of the coming week are chalked in advance for the carters.',
  'When the pond is full, the gate is raised by two men, and the wheel turns for five hours until the creek has risen again.',
  'Flour leaves the stones cool, because the furrows let a little air in, and cool flour keeps for months in a dry loft.',
  'In the last years a dynamo was driven as well, and four lamps burned along the quay on every evening with a late ebb.',
];
const paragraphs = PROSE.map((text) => `<p>${text}</p>`).join('');
const textOf = (html: string) => extractor.extract(page(html)).text;

describe('text that a script shows', () => {
  const rest = '<header><a href=/>Home</a> <a href=/a>About</a></header>%<p>Loading</p><footer>By volunteers</footer>';
  const around = (html: string) => rest.replace('%', html);

  test.each([
    ['aria-hidden', `<div aria-hidden="true">${paragraphs}</div>`],
    ['hidden', `<main hidden>${paragraphs}</main>`],
    ['a style', `<div id=app style="opacity:0;visibility:hidden"><div>${paragraphs}</div></div>`],
    ['inert', `<div inert aria-hidden="true">${paragraphs}</div>`],
    ['a custom element', `<app-root style="display:none">${paragraphs}</app-root>`],
    ['several parts', `<div hidden>${paragraphs.slice(0, 260)}</p></div><div hidden>${paragraphs}</div>`],
  ])('%s', (_name, html) => {
    for (const text of PROSE.slice(1)) expect(textOf(around(html))).toContain(text);
  });

  test('but not if the page has other text', () => {
    const other = 'Here is what the page shows: a notice of some length about the closing of the site, and where its pages are now.';
    const read = extractor.extract(
      page(around(`<article><p>${other}</p><p>${other.toUpperCase()}</p></article><div hidden><p>${PROSE[0]}</p></div>`)),
    );
    expect(read.otherText).not.toContain(PROSE[0]);
  });
});

describe('copies', () => {
  const copy = (attributes: string) =>
    `<article><h1>Tides</h1><div>${paragraphs}</div><div ${attributes}>${paragraphs}</div><p>${PROSE[0]?.replace('miller', 'carter')}</p></article>`;

  test.each(['hidden', 'style="DISPLAY: none"', 'class=print aria-hidden="true"', 'style="visibility:hidden"'])('%s', (attributes) => {
    const text = textOf(copy(attributes));
    for (const line of PROSE) expect(text.split(line)).toHaveLength(2);
  });

  test('text that is hidden and stands once may stay; repeated text that is seen stays', () => {
    expect(textOf(copy('class=refrain')).split(PROSE[1] ?? '')).toHaveLength(3);
  });
});

describe('lists of links', () => {
  const list = '<ul><li><a href=/1>Ground plan</a><li><a href=/2>Wheel pit</a><li><a href=/3>Grain loft</a></ul>';
  const [first, second, third, fourth] = PROSE;

  test.each([
    ['announced', `<p>${first}<p>The drawings:${list}<p>${second}<p>${third}`],
    ['between two paragraphs', `<p>${first}<p>${second}${list}<p>${third}<p>${fourth}`],
    ['in numbers', `<p>${first}<p>Three drawings exist:${list.replaceAll('ul', 'ol')}<p>${second}<p>${third}`],
    ['items of paragraphs', `<p>${first}<p>${second}${list.replaceAll('<li>', '<li><p>')}<p>${third}<p>${fourth}`],
  ])('%s', (_name, html) => {
    expect(textOf(`<main><article><h1>Plans</h1>${html}</article></main>`)).toContain('Ground plan\nWheel pit\nGrain loft');
  });

  test.each([
    ['at the end', `${paragraphs}${list}`],
    ['below a heading, at the end', `${paragraphs}<h2>Related</h2>${list}`],
    ['of the navigation', `<p>${first}<p>${second}<nav>${list}</nav><p>${third}<p>${fourth}`],
    ['of related pages', `<p>${first}<p>${second}<div class="related-posts">${list}</div><p>${third}<p>${fourth}`],
  ])('not %s', (_name, html) => {
    expect(textOf(`<main><article><h1>Plans</h1>${html}</article></main>`)).not.toContain('Wheel pit');
  });
});

describe('buttons that are no words', () => {
  test.each([
    ['a toolbar', '<div class=tools><button>Share</button><button aria-expanded=false>Copy link</button><button>Subscribe</button></div>'],
    ['below a paragraph', `<p>${PROSE[3]} <button>Read on</button></p>`],
    ['beside a heading', '<h2>Gates <button>Copy link</button></h2>'],
    ['in a menu', '<nav><button aria-controls=m>Show all of the menu</button></nav>'],
  ])('%s', (_name, html) => {
    const { text, otherText } = extractor.extract(page(`<main><article><h1>Tides</h1>${paragraphs}${html}${paragraphs}</article></main>`));
    expect(`${text}${otherText}`).not.toMatch(/Share|Copy|Subscribe|Read on/);
    expect(text).not.toContain('Show all');
    expect(text).toContain(PROSE[0]);
  });

  test('one that opens the text below it is the heading of that text', () => {
    const item = (n: number) =>
      `<div class=item><button aria-expanded="false">Question number ${n} is asked?</button><div><p>${PROSE[n]}</p></div></div>`;
    expect(textOf(`<main><h1>Answers</h1>${[0, 1, 2, 3].map(item).join('')}</main>`)).toContain(
      `Question number 2 is asked?\n\n${PROSE[2]}`,
    );
  });
});

test('titles, anchors, contexts, alternative texts and metadata keep joiners', () => {
  const word = 'می\u200cشود';
  const html = `<title>${word}</title><meta name=description content="${word} &zwnj;"><meta property=og:site_name content="👩\u200d🚀"><main><p>${word} <a href=/x>${word}<img alt="${word}"></a> 👩\u200d🚀.</main>`;
  const { title, metadata, outlinks, otherText, text } = extractor.extract(page(html));
  expect([title, metadata.siteName, outlinks[0]?.anchorText, outlinks[0]?.imageAlt]).toEqual([word, '👩\u200d🚀', word, word]);
  expect(metadata.description).toContain(word);
  expect(outlinks[0]?.context).toBe(`${word} 👩\u200d🚀.`);
  expect(`${text}${otherText}`).toContain(word);
});

test('plain text has line feeds alone as ends of lines', () => {
  const plain = page('one\u0085two\u2028three\u2029four\ffive', 'https://a.example/a.txt', { 'content-type': 'text/plain; charset=utf-8' });
  expect(extractor.extract(plain).text).toBe('one\ntwo\nthree\nfour\nfive');
});
