import { expect, test } from 'vitest';
import type { Simhash } from '../../../src/base/core/types.ts';
import { registrableDomain } from '../../../src/base/web/domain.ts';
import { RecentTexts } from '../../../src/crawling/frontier/recent-texts.ts';
import { urlOf } from '../../support/frontier-values.ts';

/** The text of which the `flipped` lowest bits are otherwise, in both halves. */
const text = (low: number, high = 0): Simhash => [(0x5a5a5a5a ^ (2 ** low - 1)) >>> 0, (0x0f0f0f0f ^ (2 ** high - 1)) >>> 0];
const compare = (texts: RecentTexts, url: string, simhash: Simhash | null) =>
  texts.compare(urlOf(url), registrableDomain(urlOf(url)), simhash);

test('up to ten bits make a near-duplicate, on the hosts of one registrable domain', () => {
  const texts = new RecentTexts();
  expect(compare(texts, 'http://a.example.org/1', text(0))).toEqual({ near: false, ofPath: null });
  expect(compare(texts, 'http://b.example.org/2', text(5, 5)).near).toBe(true);
  expect(compare(new RecentTexts(), 'http://b.example.org/2', text(5, 5)).near).toBe(false);
  const others = new RecentTexts();
  compare(others, 'http://a.example.org/1', text(0));
  expect(compare(others, 'http://a.example.org/2', text(6, 5)).near).toBe(false);
  expect(compare(others, 'http://a.example.net/2', text(0)).near).toBe(false);
});

test('a page without text is like none, and is not remembered', () => {
  const texts = new RecentTexts();
  expect(compare(texts, 'http://a.test/1', null)).toEqual({ near: false, ofPath: null });
  expect(texts.knows(urlOf('http://a.test/1'))).toBe(false);
  expect(compare(texts, 'http://a.test/1?b', text(0))).toEqual({ near: false, ofPath: null });
});

test('of one path: the same but for up to two bits, or another, as the last one was; the query does not count', () => {
  const texts = new RecentTexts();
  expect(compare(texts, 'http://a.test/list?page=1', text(0)).ofPath).toBeNull();
  expect(compare(texts, 'http://a.test/list?page=2', text(1, 1)).ofPath).toBe('same');
  expect(compare(texts, 'http://a.test/list', text(0)).ofPath).toBe('same');
  expect(compare(texts, 'http://a.test/list?page=3', text(2, 1)).ofPath).toBe('other');
  expect(compare(texts, 'http://a.test/list?page=4', text(2, 1)).ofPath).toBe('same');
  expect(compare(texts, 'http://a.test/li', text(2, 1)).ofPath).toBeNull();
  expect([texts.knows(urlOf('http://a.test/list?other')), texts.knows(urlOf('http://a.test/none'))]).toEqual([true, false]);
});

test('texts of a few words, which have no bits, say nothing of their path', () => {
  const texts = new RecentTexts();
  compare(texts, 'http://a.test/x?1', [0, 0]);
  expect(texts.knows(urlOf('http://a.test/x'))).toBe(false);
  expect(compare(texts, 'http://a.test/x?2', [0, 0])).toEqual({ near: true, ofPath: null });
  expect(compare(texts, 'http://a.test/y?1', [0, 1]).ofPath).toBeNull();
  expect(compare(texts, 'http://a.test/y?2', [0, 1]).ofPath).toBe('same');
});

test('a domain is remembered by its last 64 texts', () => {
  const texts = new RecentTexts();
  const first = text(0);
  compare(texts, 'http://a.test/first', first);
  const unlike = (i: number): Simhash => [Math.imul(i + 1, 0x9e3779b1) >>> 0, Math.imul(i + 1, 0x85ebca6b) >>> 0];
  for (let i = 0; i < 63; i++) compare(texts, `http://a.test/${i}`, unlike(i));
  expect(compare(texts, 'http://a.test/again', first).near).toBe(true);
  for (let i = 0; i < 64; i++) compare(texts, `http://a.test/${i}`, unlike(i));
  expect(compare(texts, 'http://a.test/again', first).near).toBe(false);
});

test('memory is bounded: of domains and of paths, the first is forgotten when one too many came after it', () => {
  const texts = new RecentTexts();
  compare(texts, 'http://first.test/path', text(0));
  for (let i = 1; i < 2048; i++) compare(texts, `http://d${i}.test/`, text(0));
  expect(compare(texts, 'http://first.test/', text(0)).near).toBe(true);
  compare(texts, 'http://d2048.test/', text(0));
  compare(texts, 'http://d2049.test/', text(0));
  expect(compare(texts, 'http://d1.test/other', text(0)).near).toBe(false);

  const paths = new RecentTexts();
  for (let i = 0; i < 65_536; i++) compare(paths, `http://a.test/${i}`, [i + 1, 0]);
  expect(paths.knows(urlOf('http://a.test/0'))).toBe(true);
  compare(paths, 'http://a.test/more', text(0));
  expect([paths.knows(urlOf('http://a.test/0')), paths.knows(urlOf('http://a.test/1'))]).toEqual([false, true]);
});
