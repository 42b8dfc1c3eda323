import { expect, test } from 'vitest';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { FeatureCounter, type PageText } from '../../../src/reading/topic/features.ts';
import { lineHashesOf, rowsWithout, templateOf, withoutTemplate } from '../../../src/reading/topic/template.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import type { TrainingRow } from '../../../src/reading/topic/training-set.ts';
import { smallBackground, syntheticPages } from './synthetic.ts';

const MENU = ['Home', 'Index of all chapters', 'Next', 'Next'];

function row(lines: readonly string[], role: TrainingRow['role'] = 'example', host: string | null = 'a.test'): TrainingRow {
  const counts = new FeatureCounter().snapshot({ title: '', text: 'page of its own', otherText: lines.join('\n'), url: null });
  return { role, host, language: null, counts, page: null, lines: lineHashesOf(lines.join('\n')) };
}

const hashes = (...lines: string[]) => [...new Set(lineHashesOf(lines.join('\n')))];
const rows = (count: number, linesAt: (i: number) => readonly string[], role?: TrainingRow['role'], host?: string) =>
  Array.from({ length: count }, (_, i) => row(linesAt(i), role, host));

test('lines that half of the pages of a host repeat are of its template', () => {
  expect(templateOf(rows(4, (i) => (i < 2 ? ['Home', `Chapter ${i}`] : ['Home', 'Index'])))).toEqual(hashes('Home'));
  expect(templateOf(rows(6, (i) => (i < 3 ? ['Home', 'Index'] : ['Home'])))).toEqual(hashes('Home', 'Index'));
});

test('two pages have no template, and a line counts once a page and for its own host alone', () => {
  expect(templateOf(rows(2, () => MENU))).toEqual([]);
  expect(templateOf(rows(2, () => ['Next', 'Next']))).toEqual([]);
  expect(templateOf([...rows(2, () => ['Home'], 'example', 'a.test'), ...rows(2, () => ['Home'], 'example', 'b.test')])).toEqual([]);
});

test('ten unlabelled pages of a host decide in place of the examples', () => {
  const examples = rows(6, () => ['Home', 'Chapter on bread']);
  const unlabelled = (count: number) => rows(count, (i) => ['Home', i < 3 ? 'See also' : `Page ${i}`], 'extra');
  expect(templateOf([...examples, ...unlabelled(9)])).toEqual(hashes('Home'));
  expect(templateOf([...examples, ...unlabelled(10)])).toEqual(hashes('Home', 'See also'));
  expect(templateOf([...rows(6, () => ['Chapter on bread']), ...unlabelled(3)])).toEqual(hashes('Chapter on bread'));
});

test('the lines of a page are bounded, and so is a template', () => {
  const many = Array.from({ length: 30_000 }, (_, i) => `line ${i}`);
  expect(lineHashesOf(many.join('\n')).length).toBe(2000);
  expect(lineHashesOf(undefined)).toEqual([]);
  const hosts = Array.from({ length: 15 }, (_, host) =>
    rows(3, () => many.slice(1900 * host, 1900 * (host + 1)), 'example', `${host}.test`),
  );
  const template = templateOf(hosts.flat());
  expect(template.length).toBe(20_000);
  expect(template).toEqual([...template].sort((a, b) => a - b));
});

test('a page without the template keeps its other lines and all else', () => {
  const page: PageText = { title: 'Home', text: 'Home', otherText: ['Home', 'About rye', '', 'Next'].join('\n'), url: null };
  expect(withoutTemplate(page, new Set(hashes('Home', 'Next')))).toEqual({ ...page, otherText: 'About rye\n' });
  expect(withoutTemplate(page, new Set())).toBe(page);
  const { otherText: _, ...bare } = page;
  expect(withoutTemplate(bare, new Set(hashes('Home')))).toBe(bare);
});

test('rows lose the words of lines that turn out to be of the template, as often as they have them', () => {
  const known: PageText = { title: '', text: 'other', otherText: MENU.join('\n'), url: null };
  const [without, untouched] = rowsWithout([row([...MENU, 'rye']), row(['rye'])], new Set(hashes(...MENU)), [known]) as [
    TrainingRow,
    TrainingRow,
  ];
  const words = ({ counts }: TrainingRow) =>
    [...counts.buckets].map((bucket, i): [number, number] => [bucket, counts.counts[i] ?? 0]).filter(([bucket]) => bucket < 131_072);
  expect(words(without).sort()).toEqual(words(row(['rye'])).sort());
  expect(untouched).toEqual(row(['rye']));
  expect(rowsWithout([row(MENU)], new Set(hashes(...MENU)), [])).toEqual([row(MENU)]);
});

test('a model does not judge the lines that its examples repeat, nor names their words', async () => {
  const background = await smallBackground();
  const menu = ['Manual of the oven', 'Contents', 'Next'].join('\n');
  const pages = syntheticPages('bread', 1, 12, 'manual.test').map((page) => ({ ...page, otherText: `${menu}\nabout ${page.id}` }));
  const { model } = await trainTopic(pages, { name: 'bread', seed: 1, extractor: 'slope', now: 0, software: 'test', background });
  expect(model.settings.template).toEqual(hashes(...menu.split('\n')));
  const page = { title: 'Ships', text: 'the sail and the mast', url: 'https://manual.test/sail.html' };
  const withMenu = model.explain({ ...page, otherText: menu });
  expect(model.logit({ ...page, otherText: menu })).toBe(model.logit(page));
  expect(withMenu.logit).toBeCloseTo(model.logit(page), 9);
  expect(sigmoid(withMenu.logit)).toBeLessThan(0.5);
  expect(withMenu.contributions.map(({ feature }) => feature)).not.toContain('manual');
  expect(model.logit({ ...page, otherText: 'dough yeast' })).toBeGreaterThan(model.logit(page));
});
