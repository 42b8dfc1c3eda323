/** Days and authors that a page has as text alone: in fourteen languages, and the lines that are none. */

import { describe, expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { page } from './page.ts';

const NOW = Date.UTC(2024, 5, 15);
const extractor = pageExtractor({ productToken: 'Forager', date: () => NOW });
const PROSE =
  '<p>The lock keeper wrote down each boat, its cargo and the weather, and he sent the book to the town once a year.</p>'.repeat(3);
const article = (credits: string, { lang = 'en', title = 'The lock', after = '' } = {}) =>
  `<html lang="${lang}"><head><title>${title} | Canal Notes</title></head><body><header><a href="/">Canal Notes</a></header><main><article><h1>${title}</h1>${credits}${PROSE}</article>${after}</main>`;
const read = (html: string, url?: string) => {
  const { metadata, creditSources } = extractor.extract(page(html, url));
  return { authors: metadata.authors, published: metadata.published, modified: metadata.modified, creditSources };
};

describe('a line of credits in words', () => {
  test.each<[lang: string, line: string, published: string | null, authors: readonly string[], modified?: string]>([
    ['en', 'By Ada Vale, 3 May 2021', '2021-05-03', ['Ada Vale']],
    ['en', 'By Ada Vale and Otto Gale, staff writers | May 3rd, 2021 at 10:14', '2021-05-03T10:14:00', ['Ada Vale', 'Otto Gale']],
    ['en', 'Written by Dr. Ines Varga, PhD • Posted on Monday, May 3, 2021 • 5 min read', '2021-05-03', ['Ines Varga']],
    ['en', 'Published: May 3, 2021. Last updated: June 7, 2023', '2021-05-03', [], '2023-06-07'],
    ['en', 'By Ada Vale, Otto Gale, and Ines Varga', null, ['Ada Vale', 'Otto Gale', 'Ines Varga']],
    ['en', 'By Ada Vale (ada@canal.example)', null, ['Ada Vale']],
    ['en', 'By The Canal Press Association', null, ['The Canal Press Association']],
    ['en-GB', '03/05/2021 by Ada Vale', '2021-05-03', ['Ada Vale']],
    ['en-US', '03/05/2021', '2021-03-05', []],
    ['de', 'Von Anna Müller | 3. Mai 2021, 10:14 Uhr', '2021-05-03T10:14:00', ['Anna Müller']],
    ['de', 'Veröffentlicht am 03.05.2021, zuletzt aktualisiert am 07.06.2023', '2021-05-03', [], '2023-06-07'],
    ['de', 'Stand: 07.06.2023', null, [], '2023-06-07'],
    ['fr', 'Par Hélène Moreau, le 3 mai 2021 à 10h14', '2021-05-03T10:14:00', ['Hélène Moreau']],
    ['fr', 'Publié le 1er mars 2021 | Mis à jour le 7 juin 2023', '2021-03-01', [], '2023-06-07'],
    ['es', 'Por Lucía Ortega y Mateo Rivas', null, ['Lucía Ortega', 'Mateo Rivas']],
    ['es', 'Publicado el 3 de mayo de 2021', '2021-05-03', []],
    ['it', 'di Chiara Rossi - 3 maggio 2021', '2021-05-03', ['Chiara Rossi']],
    ['pt', 'Por João Teixeira, 3 de maio de 2021 às 10h14', '2021-05-03T10:14:00', ['João Teixeira']],
    ['nl', 'Door Sanne de Boer, 3 mei 2021', '2021-05-03', ['Sanne de Boer']],
    ['nl', 'Geplaatst op 3-5-2021', '2021-05-03', []],
    ['ru', 'Автор: Ирина Соколова, 3 мая 2021', '2021-05-03', ['Ирина Соколова']],
    ['ru', 'Опубликовано 3 мая 2021, 10:14', '2021-05-03T10:14:00', []],
    ['pl', 'Autor: Ewa Nowak | 3 maja 2021', '2021-05-03', ['Ewa Nowak']],
    ['zh', '作者：王伟 发布时间：2021-05-03 10:14:00', '2021-05-03T10:14:00', ['王伟']],
    ['zh', '2021年5月3日 10:14 来源：运河报 更新日期：2023年6月7日', '2021-05-03T10:14:00', [], '2023-06-07'],
    ['zh', '记者 李明、张华', null, ['李明', '张华']],
    ['ja', '公開日：2021年5月3日', '2021-05-03', []],
    ['ko', '작성자: 김민수 | 등록일 2021년 5월 3일', '2021-05-03', ['김민수']],
    ['sv', 'Publicerad 3 maj 2021', '2021-05-03', []],
    ['tr', 'Yayın tarihi: 3 Mayıs 2021', '2021-05-03', []],
    ['el', '3 Μαΐου 2021', '2021-05-03', []],
    ['uk', 'Опубліковано 3 травня 2021', '2021-05-03', []],
  ])('%s: %s', (...row) => {
    const [lang, line, published, authors, modified] = row;
    const found = read(article(`<p>${line}</p>`, { lang }));
    expect(found).toMatchObject({ published, authors, modified: modified ?? null });
    const sources = { published: published && 'text', authors: authors.length > 0 ? 'text' : null, modified: modified ? 'text' : null };
    expect(found.creditSources).toEqual(sources);
  });

  test('in lines of their own, with labels, with class names, or without spaces between', () => {
    const line = (...lines: string[]) => read(article(lines.map((text) => `<div>${text}</div>`).join('')));
    expect(line('Written by', 'Ada Vale', 'Published:', 'May 3, 2021')).toMatchObject({ authors: ['Ada Vale'], published: '2021-05-03' });
    expect(line('Last updated:', 'May 3, 2021')).toMatchObject({ published: null, modified: '2021-05-03' });
    expect(line('<span>By Ada Vale</span><span>Published: May 3, 2021</span>')).toMatchObject({
      authors: ['Ada Vale'],
      published: '2021-05-03',
    });
    expect(read(article('<div class="byline">Ada Vale</div><div class="date">May 3, 2021</div>'))).toMatchObject({
      authors: ['Ada Vale'],
      published: '2021-05-03',
    });
    expect(read(article('<p><a href="/author/ada">Ada Vale</a>, <a href="/author/otto">Otto Gale</a>, May 3, 2021</p>')).authors).toEqual([
      'Ada Vale',
      'Otto Gale',
    ]);
  });

  test('above the title, below its subtitle, and at the end of the page', () => {
    expect(read(`<title>The lock</title><body><p>3 May 2021</p><h1>The lock</h1>${PROSE}`).published).toBe('2021-05-03');
    expect(read(article('<h2>How the keeper counted boats</h2><p>By Ada Vale</p><p>3 May 2021</p>'))).toMatchObject({
      authors: ['Ada Vale'],
      published: '2021-05-03',
    });
    expect(read(`${article('')}<footer><p>This page was last edited on 3 May 2021, at 10:14.</p></footer>`)).toMatchObject({
      published: null,
      modified: '2021-05-03T10:14:00',
    });
  });

  test('what the page states is first', () => {
    const html = article('<p>By Ada Vale, 3 May 2021</p>').replace(
      '<head>',
      '<head><meta name="author" content="Otto Gale"><meta property="article:published_time" content="2020-01-02">',
    );
    expect(read(html)).toEqual({ authors: ['Otto Gale'], published: '2020-01-02', modified: null, creditSources: undefined });
  });
});

describe('a day is not one of publication', () => {
  test.each([
    ['of a birth', '<p>born 3 May 1995</p>'],
    ['of a life', '<p>3 May 1992 – 7 June 2021</p>'],
    ['of an event', '<p>Starts 3 May 2021</p>'],
    ['of some days', '<p>3 May 2021 - 5 May 2021</p>'],
    ['of a release', '<div>Release date:</div><div>3 May 2021</div>'],
    ['of a release, in one line', '<p>Released on 3 May 2021 by Lock Games</p>'],
    ['in a sentence', '<p>On 3 May 2021 the lock was opened.</p>'],
    ['in a sentence without its end', '<p>3 May 2021 was the day when it burned</p>'],
    ['with another label', '<p>Deadline: 3 May 2021</p>'],
    ['with a label that is not known', '<p>Harvest: 3 May 2021</p>'],
    ['of a copyright', '<p>© 3 May 2021 Canal Notes</p>'],
    ['of years', '<p>1998–2021</p>'],
    ['with an order that is not known', '<p>03/05/2021</p>'],
    ['before there were pages', '<p>3 May 1921</p>'],
    ['to come', '<p>3 May 2031</p>'],
    ['of a member', '<p>Joined 3 May 2021</p>'],
    ['of a visit', '<p>Retrieved 3 May 2021</p>'],
    ['of the hours', '<p>Monday to Friday 10:00–18:00, from 3 May 2021</p>'],
    ['that is each day', '<p>Updated daily</p>'],
    ['in a table', '<table><tr><td>3 May 2021</td><td>4 t</td></tr></table>'],
    ['in an aside', '<aside>3 May 2021</aside>'],
    ['of code', '<pre>3 May 2021</pre>'],
    ['further down', `${PROSE}${PROSE}${PROSE}<p>3 May 2021</p>`],
    ['of a section', `${PROSE}<h2>Gates</h2><p>3 May 2021</p>`],
    ['of a history', '<p>3 May 1998</p><p>New gates.</p><p>4 June 2003</p><p>New keeper.</p>'],
  ])('%s', (_, credits) => expect(read(article(credits))).toMatchObject({ published: null, modified: null }));

  test('of the entries of a list, before or after their headings', () => {
    const days = ['5 May 2021', '4 May 2021', '3 May 2021'];
    const list = (entry: (day: string) => string) => read(`<title>News</title><body><h1>News</h1>${days.map(entry).join('')}`).published;
    expect(list((day) => `<h2>A boat</h2><p>${day}</p><p>It came with coal and went with grain.</p>`)).toBeNull();
    expect(list((day) => `<p>${day}</p><h2>A boat</h2><p>It came with coal and went with grain.</p>`)).toBeNull();
    expect(list((day) => `<div><a href="/x">A boat</a></div><div>${day}</div>`)).toBeNull();
  });

  test('of entries with their titles in one line, of events by the title, and on the page of the site', () => {
    const entry = (day: string) => `<p>How the ice went off the lower gates, ${day}, Ada Vale</p><p>It took the night.</p>`;
    expect(
      read(`<title>News</title><body><h1>News</h1><p>The boats, 5 May 2021, Ada Vale</p><p>x</p>${entry('4 May 2021')}`).published,
    ).toBeNull();
    expect(read(article('<p>3 May 2021</p>', { title: 'Events at the lock' })).published).toBeNull();
    expect(read(article('<p>Published on 3 May 2021</p>', { title: 'Events at the lock' })).published).toBe('2021-05-03');
    expect(read(article('<p>By Ada Vale, 3 May 2021</p>'), 'https://canal.example/')).toMatchObject({ authors: [], published: null });
    expect(read(article('<p><span>By</span><a>Lock Office Products</a></p>')).authors).toEqual([]);
  });

  test('of comments, and of related pages', () => {
    const below = (html: string) => read(article('', { after: html })).published;
    expect(below('<section class="comments"><p>Otto Gale, 3 May 2021</p></section>')).toBeNull();
    expect(below('<section class="related"><h3>Gates</h3><p>3 May 2021</p></section>')).toBeNull();
  });
});

describe('a name is not one of an author', () => {
  test.each([
    ['of a photographer', '<figure><img src="/x.png"><figcaption>Photo by Otto Gale</figcaption></figure>'],
    ['of a reviewer', '<p>Reviewed by Otto Gale</p>'],
    ['of a quoted work', '<p>The Weir, by Otto Gale, is the book of the year.</p>'],
    ['of a sponsor', '<p>Presented by Lock Games</p>'],
    ['of nobody', '<p>By Admin</p>'],
    ['of a handle', '<p>By @canalwatcher</p>'],
    ['in a sentence', '<p>By Tuesday the water had gone.</p>'],
    ['with others that are not read', '<p>By Ada Vale and the keepers</p>'],
    ['of neighbours', '<p>By Ada Vale</p><p>By Otto Gale</p>'],
    ['of a contact', '<p>Contact: <a href="/author/otto">Otto Gale</a></p>'],
    ['of a comment', '<div class="comments"><p class="author">Otto Gale</p></div>'],
    ['of a person in the text', '<p>Von der Schleuse bis zum Wehr</p>'],
  ])('%s', (_, credits) => expect(read(article(credits)).authors).toEqual([]));
});

test('long lines, many lines and many dates take no time', () => {
  for (const bit of [
    '3 May 2021 ',
    '2021-05-03/',
    'By Ada Vale, ',
    '<p>By Ada Vale</p>',
    '<p>3 May 2021</p>',
    '<h2>x</h2>',
    '1.',
    'May ',
  ]) {
    const html = article(bit.repeat(20_000));
    expect(
      cpuMs(() => read(html)),
      bit,
    ).toBeLessThan(3_000);
  }
});
