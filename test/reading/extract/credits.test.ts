/** Author and days of a page out of its body: microdata, `<time>` and `rel=author`, with their place on the page. */

import { describe, expect, test } from 'vitest';
import { Credits } from '../../../src/reading/extract/credits.ts';
import { SIGN } from '../../../src/reading/extract/page-signs.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { page } from './page.ts';

const NOW = Date.UTC(2024, 5, 15);
const parser = new CoreParser(new WasmCore());
const extractor = pageExtractor({ productToken: 'Forager', date: () => NOW });
const metadata = (html: string) => extractor.extract(page(html)).metadata;
const published = (html: string) => metadata(html).published;

const PROSE =
  '<p>The lock keeper wrote down each boat, its cargo and the weather, and he sent the book to the town once a year.</p>'.repeat(3);
const article = (credits: string, after = '') =>
  `<body><header>Canal Notes</header><main><article><h1>The lock</h1>${credits}${PROSE}</article>${after}</main>`;

describe('a time is no day of publication', () => {
  test.each([
    ['in a sentence after the title', '<p>In <time datetime="1998-05-04">May 1998</time> the lock was opened again.</p>'],
    ['a short one', '<p>It burned on <time>12 June 2011</time>.</p>'],
    [
      'in a table of years',
      '<table><tr><td><time datetime=2003>2003</time></td><td>New gates for the lock, paid by the town and its guests alone</td></tr></table>',
    ],
    ['before there were pages', '<p class=byline><time class="published">1788-03-01</time></p>'],
    ['to come', '<p class=byline>Posted on <time class="published" datetime="2031-01-02">x</time></p>'],
    ['of an event by class', '<div class="event-info"><time datetime="2024-02-03">3 February</time></div>'],
    [
      'of an event by type',
      '<div itemscope itemtype="https://schema.org/Event"><time itemprop="startDate" datetime="2024-02-03">x</time></div>',
    ],
    ['of a birth', '<p class="byline">Ada, <time itemprop="birthDate" datetime="1993-02-03">x</time></p>'],
    ['of a section further down', `${PROSE}<h2>Old news</h2><time datetime="2014-02-03">3 February 2014</time>`],
  ])('%s', (_, credits) => expect(published(article(credits))).toBeNull());

  test.each([
    [
      'of a comment by class',
      '<div class="comments"><p class="byline">Otto, <time class="published" datetime="2023-01-02">x</time></p></div>',
    ],
    ['of a comment by nesting', '<article><article><h3>Otto</h3><time pubdate datetime="2023-01-02">x</time></article></article>'],
    [
      'of a related page',
      '<section class="related-posts"><article class=post><h3>Gates</h3><time class="entry-date" datetime="2023-01-02">x</time></article></section>',
    ],
    ['of a sidebar', '<aside><time class="entry-date" datetime="2023-01-02">x</time></aside>'],
    ['of the footer', '<footer>Last built <time class="published" datetime="2023-01-02">x</time></footer>'],
  ])('%s', (_, after) => expect(published(article('', after))).toBeNull());

  test('of the entries of a list', () => {
    const entry = (day: string) =>
      `<article class="hentry"><h2>News of ${day}</h2><time class="entry-date published" datetime="${day}">x</time>${PROSE}</article>`;
    expect(published(`<h1>Canal news</h1>${PROSE}${entry('2023-01-02')}${entry('2023-02-03')}`)).toBeNull();
    expect(published(`<header><h1>Canal Notes</h1></header>${entry('2023-01-02')}`)).toBe('2023-01-02');
  });
});

describe('a time is the day of publication', () => {
  test.each([
    ['by its class', '<div class=x><time class="dt-published" datetime="2021-05-03T10:00">x</time></div>', '2021-05-03T10:00:00'],
    ['by that of what is around it', '<div class="post-date"><p><span><time datetime="2021-05-03">x</time></span></p></div>', '2021-05-03'],
    ['by pubdate', `${PROSE}<time pubdate>May 3, 2021</time>`, '2021-05-03'],
    ['alone below the title', '<time datetime="2021-05-03">last Monday</time>', '2021-05-03'],
    ['with the author', '<p>Ada Vale · <time>3 May 2021</time></p>', '2021-05-03'],
    ['behind a word for it', '<p>First published in the Canal Notes of the town on <time datetime="">2021-05-03</time></p>', '2021-05-03'],
    ['in another language', '<p>Veröffentlicht am <time>03.05.2021</time> von Ada Vale in Schleusen</p>', '2021-05-03'],
    [
      'with a datetime that is none',
      '<p class="entry-meta"><time datetime="P3D">Mon May 3 08:00:00 UTC 2021</time></p>',
      '2021-05-03T08:00:00Z',
    ],
    ['of today, in a zone that is ahead', '<time datetime="2024-06-16">x</time>', '2024-06-16'],
  ])('%s', (_, credits, day) => expect(published(article(credits))).toBe(day));

  test('above the title, and in the footer of the article', () => {
    expect(published(`<main><time datetime="2021-05-03">x</time><h1>The lock</h1>${PROSE}`)).toBe('2021-05-03');
    expect(
      published(article(`${PROSE}<footer class="entry-footer">Posted on <time class="entry-date" datetime="2021-05-03">x</time></footer>`)),
    ).toBe('2021-05-03');
  });

  test('whatever the columns around it are called', () => {
    const html = `<div class="content-sidebar-wrap"><main><h1>The lock</h1><p class=byline><time datetime="2021-05-03">x</time></p>${PROSE}</main></div>`;
    expect(published(html)).toBe('2021-05-03');
  });

  test('an update is none, by class or word', () => {
    expect(metadata(article('<p>Updated <time datetime="2023-01-02">x</time></p>'))).toMatchObject({ published: null });
    expect(
      metadata(article('<p class="meta"><time class="updated" datetime="2023-01-02">x</time><time datetime="2021-05-03">y</time></p>')),
    ).toMatchObject({
      published: '2021-05-03',
      modified: '2023-01-02',
    });
  });
});

test('a day to come is passed over in metas and JSON-LD too', () => {
  const meta = (day: string) => `<meta property="article:published_time" content="${day}"><meta name="date" content="2020-01-02">`;
  expect(published(meta('2024-06-20'))).toBe('2020-01-02');
  expect(published(meta('2024-06-14'))).toBe('2024-06-14');
  expect(published('<script type="application/ld+json">{"@type":"Article","datePublished":"2077-01-01"}</script>')).toBeNull();
});

describe('microdata', () => {
  const ITEM = 'itemscope itemtype="http://schema.org/NewsArticle"';
  const PERSON = 'itemprop="author" itemscope itemtype="https://schema.org/Person"';

  test.each([
    ['content of any element', `<b itemprop="datePublished" content="2021-05-03">x</b><i itemprop="author">Ada Vale</i>`],
    ['text', `<b itemprop="datePublished">May 3rd, 2021</b> by <span ${PERSON}><b itemprop="name">Ada Vale</b></span>`],
    [
      'datetime, and a link',
      `<time itemprop="datePublished" datetime="2021-05-03">x</time><a itemprop="author" href="/ada">Ada <b>Vale</b></a>`,
    ],
    [
      'metas in the body',
      `<meta itemprop="datePublished" content="2021-05-03"><div ${PERSON}><meta itemprop="name" content="Ada Vale"></div>`,
    ],
    [
      'parts of a name',
      `<data itemprop="dateCreated" value="2021-05-03">x</data><p ${PERSON}><b itemprop="givenName">Ada</b> <b itemprop="familyName">Vale</b></p>`,
    ],
    ['a person without a name property', `<b itemprop="datePublished" content="2021-05-03">x</b><a ${PERSON} href="/ada">Ada Vale</a>`],
    [
      'a link inside the person',
      `<b itemprop="datePublished" content="2021-05-03">x</b><span ${PERSON}><a itemprop="url" rel="author" href="/">Ada Vale</a></span>`,
    ],
  ])('%s', (_, credits) => {
    const wanted = { authors: ['Ada Vale'], published: '2021-05-03' };
    expect(metadata(`<div ${ITEM}><h1 itemprop="headline">The lock</h1>${credits}${PROSE}</div>`)).toMatchObject(wanted);
    // Pages write properties without an item, too.
    expect(metadata(`<h1>The lock</h1><div>${credits}</div>${PROSE}`)).toMatchObject(wanted);
  });

  test('of comments, reviews, neighbours and lists it says nothing about the page', () => {
    const credits = `<meta itemprop="datePublished" content="2021-05-03"><b itemprop="author">Otto Gale</b>`;
    const nothing = { authors: [], published: null };
    for (const around of [
      'div itemprop="comment" itemscope itemtype="https://schema.org/Comment"',
      'div itemscope itemtype="https://schema.org/UserComments"',
      'div itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer"',
      'aside',
      'section class="related"',
      'section id="comments"',
    ])
      expect(metadata(article('', `<${around}>${credits}</${around.split(' ')[0]}>`)), around).toMatchObject(nothing);
    const post = `<div itemscope itemtype="https://schema.org/BlogPosting">${credits}</div>`;
    expect(metadata(`<h1>All posts</h1>${post}${post}`)).toMatchObject(nothing);
    expect(
      metadata(`<div itemscope itemtype="https://schema.org/Blog"><div itemprop="blogPost" ${ITEM}><h2>x</h2>${credits}</div></div>`),
    ).toMatchObject({
      authors: ['Otto Gale'],
      published: '2021-05-03',
    });
  });
});

describe('rel=author', () => {
  const by = (name: string) => `<a href="/x" rel="nofollow author">${name}</a>`;
  test('counts outside of comments, menus and footers alone', () => {
    expect(metadata(article(`<p>By ${by('Ada Vale')} and ${by('Otto Gale')}</p>`)).authors).toEqual(['Ada Vale', 'Otto Gale']);
    for (const around of [
      '<ol class="commentlist"><li>',
      '<div id="disqus_thread" class="comments">',
      '<article><article>',
      '<nav>',
      '<footer>',
      '<aside>',
    ])
      expect(metadata(article('', `${around}${by('Mud Lark')}`)).authors, around).toEqual([]);
  });
});

test('markup without an end, and deep or wide pages, take no time', () => {
  const bits = [
    '<time itemprop=datePublished>',
    '<article>',
    '<div itemscope itemprop=author>',
    '<h1 itemprop=x>a',
    '<a rel=author>',
    '</article>',
    '<p class=comments>',
  ];
  for (const bit of bits) {
    const html = `<time>${bit.repeat(20_000)}`;
    parser.parse(html);
    expectWithin(
      2_000,
      () => {
        const credits = new Credits(() => parser.elements(html), { signs: SIGN.itemprop | SIGN.time });
        return [credits.data, credits.authors, credits.times(NOW).published, credits.times(NOW).modified];
      },
      bit,
    );
  }
});
