import { expect, test } from 'vitest';
import { escapeSigns } from '../../../src/base/text/escape-signs.ts';
import { markdownLine, markdownTable, numberTable } from '../../../src/base/text/markdown.ts';
import { sentence } from '../../../src/base/text/sentence.ts';

test.each([
  ['a | b', 'a \\| b'],
  ['<b>moss</b>', '\\<b\\>moss\\</b\\>'],
  ['*moss* and _peat_', '\\*moss\\* and \\_peat\\_'],
  ['peat_bog_map.html', 'peat_bog_map.html'],
  ['~~gone~~ `code` [x](y)', '\\~\\~gone\\~\\~ \\`code\\` \\[x\\](y)'],
  ['&lt; & AT&T', '\\&lt; & AT&T'],
  ['two\nlines\tof it', 'two lines of it'],
])('a name on a card starts no markup and ends no cell: %j', (name, written) => {
  expect(markdownLine(name)).toBe(written);
});

test('a table has a rule below its head, and aligns numbers to the right', () => {
  expect(markdownTable(['host', 'pages'], [['a.test', '3']])).toBe('| host | pages |\n| --- | --- |\n| a.test | 3 |');
  expect(numberTable(['strategy', 'recall', 'harvest'], []).split('\n')[1]).toBe('| --- | ---: | ---: |');
});

test('signs of XML, and the form of a sentence', () => {
  expect(escapeSigns(`<a href="x">'&'</a>`)).toBe(`&lt;a href=&quot;x&quot;&gt;'&amp;'&lt;/a&gt;`);
  expect(['no URL waits', '3 of 4 held', 'être'].map(sentence)).toEqual(['No URL waits.', '3 of 4 held.', 'Être.']);
});
