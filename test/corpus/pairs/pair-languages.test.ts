import { expect, test } from 'vitest';
import { languageDetector } from '../../../src/base/text/language.ts';
import { mostDetected } from '../../../src/corpus/pairs/detected-parts.ts';
import { PairLanguages } from '../../../src/corpus/pairs/pair-languages.ts';

test.each([
  [['en', 'zh-hant'], { 'zh-tw': 1, 'zh-hk': 1, 'zh-hant': 1, 'zh-hans': null, zh: null, en: 0 }],
  [['en', 'zh-hans'], { zh: 1, 'zh-cn': 1, 'zh-sg': 1, 'zh-tw': null }],
  [['en', 'zh-tw'], { 'zh-hant': 1, 'zh-hant-tw': 1, 'zh-hk': null, 'zh-hans': null, 'zh-Hant_TW': 1 }],
  [['pt', 'pt-br'], { 'pt-br': 1, pt: 0, 'pt-pt': 0 }],
  [['en-gb', 'en'], { 'en-gb': 0, en: 1, 'en-us': 1 }],
  [['no', 'en'], { nb: 0, 'nb-no': 0, 'x!': null }],
] as const)('of the languages %j, pages with these tags are of these sides', (langs, sides) => {
  const languages = new PairLanguages([...langs]);
  expect(Object.fromEntries(Object.keys(sides).map((tag) => [tag, languages.sideOf(tag)]))).toEqual(sides);
});

test('a tag with a region is asked for as it is, a language with all its regions', () => {
  const regional = new PairLanguages(['en', 'zh-TW']);
  expect(['en-gb', 'eng', 'zh-tw', 'zh-cn', 'zh', 'fr'].map((tag) => regional.sideOf(tag))).toEqual([0, 0, 1, null, null, null]);
  expect(regional.declares('zh', 1)).toBe(true);
  expect(new PairLanguages(['en', 'zh']).sideOf('zh-hant-tw')).toBe(1);
});

test.each([
  ['Français', 1],
  ['Version française', 1],
  ['FR', 1],
  ['English', 0],
  ['In English, please', 0],
  ['French / English', null],
  ['Freedom of the press', null],
  ['Read about the English and their long love of hedges', null],
])('the words of a link %j name a language, or none', (words, side) => expect(new PairLanguages(['en', 'fr']).namedBy(words)).toBe(side));

test('names in scripts without spaces', () => {
  const languages = new PairLanguages(['ja', 'zh']);
  expect(['日本語', '日本語版', '中文', '中文版', '한국어'].map((words) => languages.namedBy(words))).toEqual([0, 0, 1, 1, null]);
});

const ENGLISH = 'The mill was built by the river, and it has ground the grain of the whole valley for three hundred years. ';
const FRENCH = 'Le moulin a été construit au bord de la rivière, et il moud le grain de toute la vallée depuis trois cents ans. ';

test('a page that is translated in half is in the language of its translation', async () => {
  const detect = await languageDetector();
  expect(mostDetected(ENGLISH.repeat(20) + FRENCH.repeat(20), detect)).toBe('fr');
  expect(mostDetected(ENGLISH.repeat(40) + FRENCH.repeat(4), detect)).toBe('en');
  expect(mostDetected(ENGLISH, detect)).toBe('en');
  expect(mostDetected('1 2 3', detect)).toBeNull();
  expect(mostDetected('安装 sudo: 请先阅读第十二章的说明。', () => null)).toBe('zh');
  expect(mostDetected('第十二章の説明をよくお読みになってください。', () => null)).toBe('ja');
});
