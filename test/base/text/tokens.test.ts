import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldWord } from '../../../src/base/text/letters.ts';
import { combineHashes, hashWord, scanWords, wordsOf } from '../../../src/base/text/tokens.ts';
import { SEGMENTED_OF_PAGE } from '../../../src/base/text/unspaced-words.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

interface Word {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

function scan(text: string): Word[] {
  const words: Word[] = [];
  scanWords(text, (hash, start, end) => words.push({ hash, start, end }));
  return words;
}

test.each([
  ['', []],
  [' \t\n—…', []],
  ['Hello, World!', ['hello', 'world']],
  ['a B 3', ['a', 'b', '3']],
  ['HTML5 x86_64 3.14', ['html5', 'x86', '64', '3', '14']],
  ["don't l’eau rock'n'roll", ['don', 't', 'l', 'eau', 'rock', 'n', 'roll']],
  ['state-of-the-art', ['state', 'of', 'the', 'art']],
  ['Größe ÉTÉ', ['größe', 'été']],
  ['ΟΔΟΣ οδός Σ', ['οδοσ', 'οδόσ', 'σ']],
  ['ЁЛКА Ґанок', ['ёлка', 'ґанок']],
  ['العَرَبِيّة עברית', ['العَرَبِيّة'.normalize('NFKC'), 'עברית']],
  ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
  ['한국어 문서', ['한국어', '문서']],
  ['e\u0301te\u0301', ['été']],
  ['\u1112\u1161\u11ab', ['한']],
  ['ﬁne ＡＢＣ１ Ⅳ', ['fine', 'abc1', 'iv']],
  ['𝐁old 𐐀', ['bold', '𐐨']],
  ['soft\u00ADhyphen می\u200Cخواهم', ['softhyphen', 'میخواهم']],
  ['\u0301 \u200D ❤\uFE0F', []],
  ['\ud800a\udc00b', ['a', 'b']],
  ['iPhone手机', ['iphone', '手机']],
  ['東京都に住んで', ['東京', '都', 'に', '住', 'んで']],
  ['データ、ﾃﾞｰﾀ', ['データ', 'データ']],
  ['คนไทยรักภาษา', ['คน', 'ไทย', 'รัก', 'ภาษา']],
  ['𠮷野', ['𠮷', '野']],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('offsets point at the words as written', () => {
  const text = '— The ﬁrst,手机e\u0301.';
  expect(scan(text).map(({ start, end }) => text.slice(start, end))).toEqual(['The', 'ﬁrst', '手机', 'e\u0301']);
});

test('words of over 40 characters are passed over', () => {
  for (const char of ['a', 'é', 'e\u0301', 'क']) {
    const most = char.repeat(40 / char.length);
    expect(scan(`x ${most} y`)).toHaveLength(3);
    expect(scan(`x ${most}${char} y`)).toHaveLength(2);
    expect(scan(`x ${most}${char}`)).toHaveLength(1);
  }
});

/** FNV-1a and murmur3's finaliser, written from their definitions. */
function reference(word: string): number {
  let h = 2166136261n;
  for (let i = 0; i < word.length; i++) h = ((h ^ BigInt(word.charCodeAt(i))) * 16777619n) & 0xffffffffn;
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & 0xffffffffn;
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & 0xffffffffn;
  return Number(BigInt.asIntN(32, h ^ (h >> 16n)));
}

test('hashes are FNV-1a with a murmur3 finish, signed, over the folded word', () => {
  for (const word of ['a', 'crawler', 'öl', '手机', 'été', '한국어']) {
    expect(hashWord(word)).toBe(reference(word));
    expect(hashWord(word.toUpperCase())).toBe(reference(word));
    expect(hashWord(word.normalize('NFD'))).toBe(reference(word));
  }
});

const LETTERS = [
  'a',
  'Z',
  '7',
  'é',
  'Σ',
  'ß',
  'İ',
  'ﬁ',
  '½',
  'ŉ',
  'e\u0301',
  '\u0300',
  '\u00AD',
  'ж',
  'ש',
  'ا',
  'ّ',
  'क',
  '्',
  'ि',
  '한',
  '\u1100',
  '\u1161',
  '手',
  'ー',
  'ｶ',
  'ﾞ',
  'ำ',
  'ไ',
  'က',
  '𝐀',
  '𠮷',
];
const BREAKS = [' ', '\n', "'", '’', '-', '_', '.', '、', '❤', '\uFE0F', '\ud800', '\udc00', '😀'];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...LETTERS, ...BREAKS), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

test('scanWords, wordsOf and hashWord say the same; offsets are ordered and in range', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const words = scan(text);
      expect(wordsOf(text).map(hashWord)).toEqual(words.map(({ hash }) => hash));
      let from = 0;
      for (const { hash, start, end } of words) {
        expect(hash | 0).toBe(hash);
        expect(start >= from && end > start && end <= text.length && end - start <= 40).toBe(true);
        expect(hashWord(text.slice(start, end))).toBe(hash);
        from = end;
      }
    }),
    { numRuns: runs(20_000) },
  );
});

test.each([
  ['\u1109\u1165', '서'],
  ['\u3145\u3153', '서'],
  ['\uffb5\uffc6', '서'],
])('Hangul letters %j are the syllable they make', (letters, syllable) => {
  expect(scan(letters).map(({ hash }) => hash)).toEqual([hashWord(syllable)]);
});

test('every character of the BMP has one hash by either way, and folding twice changes nothing', () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x10000; code++) {
    const char = String.fromCharCode(code);
    const folded = foldWord(char);
    if (foldWord(folded) !== folded) wrong.push(`fold U+${code.toString(16)}`);
    for (const { hash, start, end } of scan(`x${char} ${char}y`)) {
      if (hash !== hashWord(`x${char} ${char}y`.slice(start, end))) wrong.push(`hash U+${code.toString(16)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a word has the same hash wherever it stands and however it is written', () => {
  const plain = scan('crawler')[0]?.hash;
  for (const text of ['Crawler', 'the CRAWLER.', 'ｃｒａｗｌｅｒ', '«crawler»', '手crawler手', 'craw\u00ADler']) {
    expect(scan(text).map(({ hash }) => hash)).toContain(plain);
  }
});

test('beyond the cap unspaced text becomes bigrams', () => {
  const han = '网络爬虫从种子网址出发';
  const text = han.repeat(Math.ceil(SEGMENTED_OF_PAGE.chars / han.length) + 20);
  const words = scan(text);
  const rest = words.filter(({ start }) => start >= SEGMENTED_OF_PAGE.chars);
  expect(rest).toHaveLength(text.length - SEGMENTED_OF_PAGE.chars - 1);
  expect(rest.every(({ start, end }) => end - start === 2)).toBe(true);
  expect(rest.map(({ hash }) => hash)).toContain(hashWord('网络'));
  const spaced = scan(`${text} 网`);
  expect(spaced.at(-1)?.hash).toBe(hashWord('网'));
});

test('long runs are cut between characters, never inside a surrogate pair', () => {
  const text = `手${'𠮷'.repeat(SEGMENTED_OF_PAGE.chars)}`;
  const words = scan(text);
  expect(words.length).toBeGreaterThan(SEGMENTED_OF_PAGE.chars / 2);
  expect(scan(`${text}\ud800手`).at(-1)).toMatchObject({ hash: hashWord('手'), start: text.length + 1 });
  expect(words.every(({ start, end }) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(text.slice(start, end)))).toBe(true);
});

test('low bits are good: buckets fill evenly', () => {
  const buckets = new Array<number>(1024).fill(0);
  const words = 100_000;
  for (let i = 0; i < words; i++) {
    const bucket = hashWord(`word${i}`) & 1023;
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  const expected = words / 1024;
  const chi2 = buckets.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // Chi-squared with 1,023 degrees of freedom: mean 1,023, deviation 45; within five deviations.
  expect(Math.abs(chi2 - 1023)).toBeLessThan(226);
});

test('combined hashes depend on both sides and their order', () => {
  const hashes = Array.from({ length: 200 }, (_, i) => hashWord(`w${i}`));
  const pairs = new Set(hashes.flatMap((a) => hashes.map((b) => combineHashes(a, b))));
  // 40,000 draws from 2^32: 0.19 collisions expected.
  expect(pairs.size).toBeGreaterThan(39_996);
  expect(combineHashes(1, 2)).not.toBe(combineHashes(2, 1));
  expect([...pairs].every((hash) => (hash | 0) === hash)).toBe(true);
});

test('no text takes long', () => {
  const units = ['a', '手', 'ไ', '\u0301', 'e\u0301', '\ud800', '\u200D', '𠮷', 'ﬁ', '手 ', 'ｶ', '手\u0301'];
  expectWithin(20_000, () => {
    for (const unit of units) scanWords(unit.repeat(Math.floor(200_000 / unit.length)), () => {});
  });
});
