import { expect, test } from 'vitest';
import { type DateOrder, dateOrder } from '../../../src/base/text/date-order.ts';
import { datesIn } from '../../../src/base/text/date-search.ts';

test.each<[text: string, dates: readonly string[], order?: DateOrder]>([
  ['by Ada on 3 May 2021, and again on May 4th, 2021', ['2021-05-03', '2021-05-04']],
  ['2021-05-03T10:14:00+02:00', ['2021-05-03T10:14:00+02:00']],
  ['2021/5/3 10:14', ['2021-05-03T10:14:00']],
  ['December 19. 2025', ['2025-12-19']],
  ['03-May-2021', ['2021-05-03']],
  ['3 de maig de 2021', ['2021-05-03']],
  ['3. 5. 2021', ['2021-05-03']],
  ['2021. május 3.', ['2021-05-03']],
  ['3 mei 2021 om 10.14 uur', ['2021-05-03T10:14:00']],
  ['2021年5月3日、2021년 5월 4일', ['2021-05-03', '2021-05-04']],
  ['3/5/2021', ['2021-05-03'], 'dmy'],
  ['3-5-21', ['2021-03-05'], 'mdy'],
  ['25/3/2021', ['2021-03-25'], 'mdy'],
  ['3/5/2021', []],
  ['14/13/2021', [], 'dmy'],
  ['version 1.2.2021.3', []],
  ['1.2.3.2021', []],
  ['tel. 2021-05-03-77', []],
  ['May 2021', []],
  ['31 June 2021', []],
  ['3 chapters 2021', []],
  ['in 12021-05-03', []],
])('%s: %j', (...row) => {
  const [text, dates, order] = row;
  const found = datesIn(text, order ?? null);
  expect(found.map(({ date }) => date)).toEqual(dates);
  for (const { from, to } of found) expect(datesIn(text.slice(from, to), order ?? null)).toHaveLength(1);
});

test.each<readonly [lang: string | null, host: string, order: DateOrder | null]>([
  ['en-us', 'canal.example', 'mdy'],
  ['en-gb', 'canal.example', 'dmy'],
  ['en', 'canal.example', null],
  ['en', 'www.canal.co.uk', 'dmy'],
  ['en', 'canal.com.au', 'dmy'],
  ['en', 'canal.gov', 'mdy'],
  ['en-us', 'canal.co.uk', null],
  ['en', 'canal.io', null],
  ['en', 'canal.com.br', null],
  ['pt-br', 'canal.com.br', 'dmy'],
  ['it', 'canal.example', 'dmy'],
  ['zh-cn', 'canal.cn', null],
  ['sv', 'canal.example', null],
  [null, 'canal.fr', 'dmy'],
  ['not a language', 'canal.example', null],
  [null, 'localhost', null],
])('%s at %s: %s', (lang, host, order) => expect(dateOrder(lang, host)).toBe(order));

test('a text with more days than are read leaves nothing to the next text', () => {
  const many = Array.from({ length: 20 }, (_, i) => `${i + 1} May 2021`).join(', ');
  const days = (text: string) => datesIn(text, null).map(({ date }) => date);
  expect(days(many)).toHaveLength(8);
  expect(days('3 June 2020')).toEqual(['2020-06-03']);
});
