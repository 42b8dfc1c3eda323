import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng, shuffled } from '../../src/core/rng.ts';
import { PageExtractor } from '../../src/extract/extractor.ts';
import { EdgeCounts, SiteFurniture } from '../../src/extract/furniture.ts';
import { page } from './page.ts';

const SLOGAN = 'The river almanac, kept since the year of the great flood by its readers.';
const LICENCE = 'You may copy this text as long as you name the almanac and its many readers.';
const own = (n: number) =>
  `<p>Day ${n} on the river brought ${n * 7} boats to the quay, and the keeper wrote each of them down with care.</p>` +
  `<p>The water stood at ${n * 3} feet, so the ferry ran ${n} times; nobody waited longer than an hour for it.</p>`;
const pageOf = (n: number, body = own(n), host = 'almanac.example') =>
  page(`<html><body><div><p>${SLOGAN}</p>${body}<p>${LICENCE}</p></div></body></html>`, `https://${host}/day/${n}.html`);

function reader(furniture: SiteFurniture | null = new SiteFurniture()): PageExtractor {
  return new PageExtractor({ productToken: 'forager', furniture });
}

test('what the pages of a host share at the edges of their text is taken out once enough of them had it', () => {
  const extractor = reader();
  const texts = Array.from({ length: 9 }, (_, n) => extractor.extract(pageOf(n)).text);
  const has = (line: string) => texts.map((text) => text.includes(line));
  const until5th = [true, true, true, true, false, false, false, false, false];
  expect(has(SLOGAN)).toEqual(until5th);
  expect(has(LICENCE)).toEqual(until5th);
  expect(texts.every((text, n) => text.includes(`Day ${n} on the river`) && text.includes(`stood at ${n * 3} feet`))).toBe(true);
});

test('without it a page is read by itself', () => {
  const extractor = reader(null);
  const texts = Array.from({ length: 9 }, (_, n) => extractor.extract(pageOf(n)).text);
  expect(texts.every((text) => text.includes(SLOGAN) && text.includes(LICENCE))).toBe(true);
});

test('a run of furniture goes as a whole', () => {
  const extractor = reader();
  const second = 'Set in type by hand on the press below the bridge, as it always was.';
  const texts = Array.from({ length: 8 }, (_, n) => extractor.extract(pageOf(n, `${own(n)}<p>${second}</p>`)).text);
  expect(texts.map((text) => text.includes(LICENCE)).indexOf(false)).toBe(4);
  expect(texts.map((text) => text.includes(second)).indexOf(false)).toBe(4);
});

test('what repeats inside the text stays', () => {
  const extractor = reader();
  const middle = 'If the bell rings twice, the lock is closed and the boats have to wait.';
  for (let n = 0; n < 20; n += 1) {
    const { text } = extractor.extract(pageOf(n, `${own(n)}<p>${middle}</p>${own(n + 100)}`));
    expect(text).toContain(middle);
  }
});

test('headings and the heads of empty sections stay', () => {
  const extractor = reader();
  for (let n = 0; n < 20; n += 1) {
    const body = `<h2>The days and nights of the almanac</h2>${own(n)}<p>See also</p>`;
    const { text } = extractor.extract(page(`<body><div>${body}</div></body>`, `https://almanac.example/${n}`));
    expect(text).toContain('The days and nights of the almanac');
    expect(text).toContain('See also');
  }
});

test('hosts are told apart', () => {
  const extractor = reader();
  for (let n = 0; n < 12; n += 1) {
    expect(extractor.extract(pageOf(n, own(n), `h${n}.example`)).text).toContain(SLOGAN);
  }
});

test('a share of the pages has to have it, not a number alone', () => {
  const extractor = reader();
  const plain = (n: number) => page(`<body><div>${own(n)}${own(n + 1000)}</div></body>`, `https://almanac.example/${n}`);
  for (let n = 0; n < 100; n += 1) extractor.extract(plain(n));
  const texts = Array.from({ length: 14 }, (_, n) => extractor.extract(pageOf(200 + n)).text);
  expect(texts.map((text) => text.includes(SLOGAN)).indexOf(false)).toBe(11);
});

test('copies of one page stay whole, and equal', () => {
  const extractor = reader();
  const same = own(1) + own(2);
  const texts = Array.from({ length: 40 }, (_, n) => extractor.extract(pageOf(n, same)).text);
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain(SLOGAN);
});

test('copies among other pages lose what the others lose', () => {
  const extractor = reader();
  const same = own(1) + own(2);
  const texts = Array.from({ length: 90 }, (_, n) => extractor.extract(pageOf(n, n % 3 === 0 ? same : own(n))).text);
  const copies = new Set(texts.filter((_, n) => n % 3 === 0 && n > 9));
  expect(copies).toEqual(new Set([bodyLines(same).join('\n')]));
});

function bodyLines(body: string): string[] {
  return body.split('</p>').flatMap((line) => (line === '' ? [] : [line.replace('<p>', '')]));
}

test('a page that is hardly anything else is left as it is', () => {
  const extractor = reader();
  for (let n = 0; n < 9; n += 1) extractor.extract(pageOf(n));
  expect(extractor.extract(pageOf(10, '<p>Nothing came today, alas.</p>')).text).toContain(SLOGAN);
});

test('links, their context and zone stay as they were; Markdown loses the same lines', () => {
  const learned = reader();
  const plain = reader(null);
  const linked = (n: number) =>
    page(
      `<body><div><p>${SLOGAN} Read <a href="/rules">the rules of the almanac</a> before you write to us.</p>${own(n)}</div></body>`,
      `https://almanac.example/${n}`,
    );
  for (let n = 0; n < 8; n += 1) learned.extract(linked(n));
  const { extraction, markdown } = learned.extractMarkdown(linked(9));
  expect(extraction.text).not.toContain('river almanac');
  expect(markdown).not.toContain('river almanac');
  expect(markdown).toContain('Day 9 on the river');
  expect(extraction.outlinks).toEqual(plain.extract(linked(9)).outlinks);
  expect(extraction.outlinks[0]).toMatchObject({ zone: 'content', anchorText: 'the rules of the almanac' });
});

test('the same pages in the same order give the same texts', () => {
  const order = shuffled(
    Array.from({ length: 60 }, (_, n) => n),
    seededRng(5),
  );
  const texts = () => {
    const extractor = reader(new SiteFurniture({ maxBlocks: 8 }));
    return order.map((n) => extractor.extract(pageOf(n % 40)).text);
  };
  expect(texts()).toEqual(texts());
});

test('a run longer than what one page may add is learned over several', () => {
  const extractor = reader();
  const lines = Array.from({ length: 10 }, (_, n) => `<p>Article ${n} of the rules of the river almanac and of its readers.</p>`).join('');
  const texts = Array.from({ length: 12 }, (_, n) => extractor.extract(pageOf(n, `${own(n)}${lines}`)).text);
  expect(texts.map((text) => text.includes('Article 0 of')).indexOf(false)).toBe(6);
  expect(texts.map((text) => text.includes(LICENCE)).indexOf(false)).toBe(6);
});

test('memory is bounded by hosts and by blocks of a host', () => {
  const furniture = new SiteFurniture({ maxHosts: 4, maxBlocks: 64 });
  const extractor = reader(furniture);
  for (let n = 0; n < 600; n += 1) extractor.extract(pageOf(n, own(n), `h${n % 2 === 0 ? n : 1}.example`));
  for (let n = 0; n < 300; n += 1) extractor.extract(page(`<body>${own(n)}</body>`, `https://h1.example/${n}`));
  expect(furniture.bytes).toBeGreaterThan(0);
  expect(furniture.bytes).toBeLessThanOrEqual(4 * 8 * 128);
});

test('the host least lately seen is forgotten first', () => {
  const extractor = reader(new SiteFurniture({ maxHosts: 2 }));
  const read = (n: number, host: string) => extractor.extract(pageOf(n, own(n), host)).text.includes(SLOGAN);
  for (let n = 0; n < 6; n += 1) read(n, 'a.example');
  for (let n = 0; n < 6; n += 1) read(n, 'b.example');
  expect(read(7, 'a.example')).toBe(false);
  read(1, 'c.example');
  expect(read(8, 'a.example')).toBe(false);
  expect(read(7, 'b.example')).toBe(true);
});

test('counts are never above the truth, and below it by no more than sightings / (room + 1)', () => {
  const sightings = fc.array(fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer()), { maxLength: 400 });
  fc.assert(
    fc.property(sightings, fc.integer({ min: 1, max: 40 }), (hashes, room) => {
      const counts = new EdgeCounts(room);
      const truth = new Map<number, number>();
      for (const [at, hash] of hashes.entries()) {
        const real = (truth.get(hash) ?? 0) + 1;
        truth.set(hash, real);
        const counted = counts.add(hash);
        expect(counted).toBeLessThanOrEqual(real);
        expect(counted).toBeGreaterThanOrEqual(real - (at + 1) / (room + 1));
      }
    }),
  );
});
