import { expect, test } from 'vitest';
import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { cellOf, type Draw, drawsOf, MAX_TEST, topicsOf } from './splits.ts';

function text(id: string, more: Partial<LabelledText>): LabelledText {
  return { id, group: null, labels: [], title: '', text: id, url: null, side: null, ...more };
}

/** `hosts[subject]` hosts of each subject, 30 pages each. */
function web(hosts: Readonly<Record<string, number>>): TextSet {
  const texts = Object.entries(hosts).flatMap(([subject, count]) =>
    Array.from({ length: 30 * count }, (_, i) => text(`${subject}-${i}`, { group: `${subject}${i % count}.example`, labels: [subject] })),
  );
  return { name: 'debian-web', texts };
}

function loose(texts: number, onTopic: (at: number) => boolean, side: (at: number) => LabelledText['side'] = () => null): TextSet {
  return { name: 'spam', texts: Array.from({ length: texts }, (_, i) => text(`${i}`, { labels: onTopic(i) ? ['t'] : [], side: side(i) })) };
}

const WEB = web({ music: 3, finance: 2, physics: 1, biology: 4 });
const MAIL = loose(6000, (at) => at % 3 === 0);
const WIRE = loose(
  900,
  (at) => at % 9 === 0,
  (at) => (at < 600 ? 'training' : 'test'),
);
/** The same subjects in two languages, three books each, on two hosts; and a book that is in German only. */
const BOOKS: TextSet = {
  name: 'manuals',
  texts: ['de', 'ja'].flatMap((language) =>
    [...['music', 'packaging'].flatMap((subject) => [0, 1, 2].map((book) => ({ subject, book }))), { subject: 'cooking', book: 0 }]
      .filter(({ subject }) => subject !== 'cooking' || language === 'de')
      .flatMap(({ subject, book }) =>
        Array.from({ length: 20 }, (_, i) => {
          const group = `host${book % 2}.example/${language}/${subject}${book}/`;
          return text(`${group}${i}`, { group, labels: [`${language}:${subject}`], url: `https://${group}${i}.html`, language });
        }),
      ),
  ),
};
const ALL = [WEB, MAIL, WIRE, BOOKS].flatMap((source) =>
  drawsOf(source, 5).map((whole) => ({ source, whole, topic: whole.topic, number: whole.draw })),
);

const trainingOf = ({ positives, pool, negatives }: Draw) => [...positives, ...pool, ...negatives];

test('topics have two groups, or enough texts', () => {
  expect(topicsOf(WEB)).toEqual(['biology', 'finance', 'music']);
  expect(topicsOf(MAIL)).toEqual(['t']);
  expect(topicsOf(loose(60, (at) => at < 10))).toEqual([]);
});

test.each(ALL)('draw $number of $topic: no text has two roles', ({ whole }) => {
  const all = [...trainingOf(whole), ...whole.test];
  expect(new Set(all).size).toBe(all.length);
});

test.each(ALL)('draw $number of $topic: no group is on both sides', ({ source, whole }) => {
  const groupsOf = (places: readonly number[]) => new Set(places.flatMap((at) => source.texts[at]?.group ?? []));
  expect([...groupsOf(trainingOf(whole))].filter((group) => groupsOf(whole.test).has(group))).toEqual([]);
  expect([...groupsOf(whole.test)].filter((group) => !whole.testGroups.has(group))).toEqual([]);
  expect([...groupsOf(trainingOf(whole))].filter((group) => whole.testGroups.has(group))).toEqual([]);
});

test('a topic of a language is told from texts of that language only, and hosts of judged books count as judged', () => {
  expect(topicsOf(BOOKS)).toEqual(['de:music', 'de:packaging', 'ja:music', 'ja:packaging']);
  for (const draw of drawsOf(BOOKS, 3)) {
    const places = [...trainingOf(draw), ...draw.test];
    expect(new Set(places.map((at) => BOOKS.texts[at]?.language))).toEqual(new Set([draw.topic.slice(0, 2)]));
    expect(places).toHaveLength(draw.topic.startsWith('de') ? 140 : 120);
    const hosts = new Set(draw.test.map((at) => new URL(BOOKS.texts[at]?.url ?? '').host));
    expect([...hosts].filter((host) => !draw.testGroups.has(host))).toEqual([]);
  }
});

test.each(ALL)('draw $number of $topic: labels are as the roles say, and both kinds are judged', ({ source, topic, whole }) => {
  const onTopic = (at: number) => source.texts[at]?.labels.includes(topic) ?? false;
  expect(whole.positives.every(onTopic)).toBe(true);
  expect(whole.negatives.some(onTopic)).toBe(false);
  expect(whole.test.some(onTopic) && !whole.test.every(onTopic)).toBe(true);
  expect(whole.test.length).toBeLessThanOrEqual(MAX_TEST + 1);
});

test.each(ALL)('draw $number of $topic: the pool is on topic as often as the training side', ({ source, topic, whole }) => {
  const share = (places: readonly number[]) => places.filter((at) => source.texts[at]?.labels.includes(topic)).length / places.length;
  expect(Math.abs(share(whole.pool) - share(trainingOf(whole)))).toBeLessThan(1 / whole.pool.length);
});

test('a set with a split of its own keeps it', () => {
  for (const draw of drawsOf(WIRE, 2)) {
    expect(trainingOf(draw).every((at) => at < 600)).toBe(true);
    expect(draw.test.every((at) => at >= 600)).toBe(true);
  }
});

test('draws differ, and are the same again', () => {
  const [first, second] = drawsOf(MAIL, 2);
  expect(first?.positives).not.toEqual(second?.positives);
  expect(drawsOf(MAIL, 2)).toEqual(drawsOf(MAIL, 2));
});

test('all groups of a topic come to be judged', () => {
  const judged = drawsOf(WEB, 4)
    .filter(({ topic }) => topic === 'biology')
    .flatMap(({ testGroups }) => [...testGroups]);
  expect([...new Set(judged)].filter((group) => group.startsWith('biology')).sort()).toEqual(
    [0, 1, 2, 3].map((i) => `biology${i}.example`),
  );
});

test('examples of a size are the first, of each group in turn; others are as the setting says', () => {
  const draw = drawsOf(WEB, 1).find(({ topic }) => topic === 'biology') as Draw;
  const small = cellOf(draw, 4, 'labelled');
  expect(small?.positives).toEqual(draw.positives.slice(0, 4));
  expect(new Set(small?.positives.map((at) => WEB.texts[at]?.group)).size).toBe(2);
  expect(small?.others).toEqual(draw.negatives.slice(0, 12));
  expect(cellOf(draw, 5, 'pool')?.others).toEqual(draw.pool);
  expect(cellOf(draw, 'all', 'alone')).toMatchObject({ positives: draw.positives, others: [] });
  expect(cellOf(draw, 1000, 'alone')).toBeNull();
});
