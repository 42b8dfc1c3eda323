import { describe, expect, test } from 'vitest';
import { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { page } from './page.ts';

const OPTIONS = { productToken: 'forager' };
const extractor = new PageExtractor(OPTIONS, new PageParser());
const fast = pageExtractor(OPTIONS);

/** By both parsers, which agree. */
function read(html: string) {
  const found = extractor.extract(page(html));
  expect(fast.extract(page(html))).toEqual(found);
  return found;
}

const SCRIPT = '<script src="/static/js/main.4f1c.js"></script>';
const NAVIGATION = `<nav>${'<a href=/x>Section</a> <a href=/y>Archive</a> '.repeat(12)}</nav>`;
const PROSE = `<p>${'The mill stood on the river for three hundred years, and its wheel ground the corn of seven villages. '.repeat(4)}</p>`;
const DEMAND = 'You need to enable JavaScript to run this app.';

const SHELLS: Readonly<Record<string, string>> = {
  'a wall': `<body><noscript>${DEMAND}</noscript><div id="root"></div>${SCRIPT}`,
  'a root below a navigation of links': `<body>${NAVIGATION}<div id="app"></div>${SCRIPT}`,
  'a root with a navigation, and an empty main': `<body><div id="app">${NAVIGATION}<main></main></div>${SCRIPT}`,
  'a main with a heading': `<body>${NAVIGATION}<main><h1>Latest records</h1><ul></ul></main>${SCRIPT}`,
  'an element that is never closed': `<body>${NAVIGATION}<div id=root>${SCRIPT}`,
  'roots in roots': `<body><div id=root><div id=app><div></div></div></div>${NAVIGATION}${SCRIPT}`,
  'a list that an inline script fills': `<body>${NAVIGATION}<h1>Stations of the river</h1><ul id="stations"></ul><script>fetch('/api').then(show('stations'))</script>`,
  'a label that says that it loads': `<body>${NAVIGATION}<section><h2>Stations of the river and its lakes, and their readings</h2><p>Loading readings …</p></section>${SCRIPT}`,
  'a noscript beside a caption': `<body><p>Readings of the twelve stations of the river, hour by hour</p><noscript>${DEMAND}</noscript><img src=x>${SCRIPT}`,
  'the state of the page in a script': `<body>${NAVIGATION}<p>Stations and what they read today.</p><script>window.state=${JSON.stringify(Array(900).fill('reading'))}</script>`,
  'a bundle, and a name': `<body><header>River Trust</header><img src=/logo.svg><script type=module src=/a.js></script>`,
};

test.each(Object.entries(SHELLS))('a page looks empty without its scripts: %s', (_, html) => {
  expect(read(html).shell).toBe(true);
});

const WHOLE: Readonly<Record<string, string>> = {
  'an article in a root': `<body><noscript>${DEMAND}</noscript><div id="root">${PROSE}</div>${SCRIPT}`,
  'a sentence in a root': `<body><div id="root"><p>The lake froze in the night of the ninth.</p></div><script src=/count.js></script>`,
  'an empty root beside an article': `<body><div id="modal-root"></div><div id="app"></div><main>${PROSE}</main>${SCRIPT}`,
  'a picture in a main': `<body><main><h1>Sunset</h1><img src=/s.jpg></main><script src=/count.js></script>`,
  'a search without results': `<body>${NAVIGATION}<main><p>No page has the words you asked for.</p></main><script src=/count.js></script>`,
  'a page without scripts': `<body>${NAVIGATION}<main></main>`,
  'places for advertisements and comments': `<body><p>Reed is cut in winter for the roofs of the villages along the lower river.</p><div id="ad-top"></div><div id="disqus_thread"></div><script>show('ad-top','disqus_thread')</script>`,
  'comments that need scripts': `<body><p>Reed is cut in winter for the roofs.</p><noscript>Please enable JavaScript to view the comments.</noscript>${SCRIPT.replace('main.4f1c', 'count')}`,
  'a page of links': `<body><div id=app></div>${NAVIGATION.repeat(60)}${SCRIPT}`,
  'a login': `<body><h1>Log in</h1><form><input name=u><input type=password><button>Log in</button></form><div id=toast></div>${SCRIPT}`,
};

test.each(Object.entries(WHOLE))('a page does not: %s', (_, html) => {
  expect(read(html).shell).toBeUndefined();
});

test('a page that states its text is no shell', () => {
  const body = 'The mill stood on the river for three hundred years, and its wheel ground the corn of seven villages. '.repeat(4);
  const state = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Article', articleBody: body });
  const found = read(`<div id=root></div><script type="application/ld+json">${state}</script>${SCRIPT}`);
  expect(found.textSource).toBe('json-ld');
  expect(found.shell).toBeUndefined();
});

describe('a demand for scripts is never main text', () => {
  const demands: Readonly<Record<string, string>> = {
    'Create React App': DEMAND,
    'Vue CLI': "We're sorry but mill doesn't work properly without JavaScript enabled. Please enable it to continue.",
    Angular: 'Please enable JavaScript to continue using this application.',
    disqus: 'Please enable JavaScript to view the comments powered by Disqus.',
    'in German': 'Bitte aktivieren Sie JavaScript in Ihrem Browser.',
    'in French': 'Veuillez activer JavaScript pour utiliser ce site.',
    'in Spanish': 'Necesita habilitar JavaScript para ver esta página.',
    'in Russian': 'Для работы сайта включите JavaScript.',
    'in Japanese': 'このサイトを利用するには、JavaScriptを有効にしてください。',
    'in Chinese': '请启用JavaScript以继续浏览本网站。',
  };
  const frames: readonly ((demand: string) => string)[] = [
    (demand) => `<article><h1>Mill</h1>${PROSE}<noscript><p>${demand}</p></noscript>${PROSE}</article>`,
    (demand) => `<article><h1>Mill</h1>${PROSE}<div>${demand}</div>${PROSE}</article>`,
    (demand) => `<h1>Reed</h1><p>Reed is the tall grass of lakes and slow rivers.</p><p>${demand}</p>`,
  ];

  test.each(Object.entries(demands))('%s', (_, demand) => {
    for (const frame of frames) {
      const { text } = read(frame(demand));
      expect(text).not.toMatch(/java\s?script/i);
      expect(text).toMatch(/^(The mill|Reed is)/);
    }
  });

  test('an article about scripts keeps its words', () => {
    const article = `<article><h1>Scripts</h1>${PROSE}<p>To enable JavaScript, open the settings.</p><p>JavaScript came with the second version of the browser, and readers of that year knew it.</p></article>`;
    expect(read(article).text).toContain('To enable JavaScript, open the settings.');
  });

  test('its Markdown has none either', () => {
    const html = `<article><h1>Mill</h1>${PROSE}<p>${DEMAND}</p>${PROSE}</article>`;
    expect(extractor.extractMarkdown(page(html)).markdown).not.toContain('JavaScript');
  });
});
