import { describe, expect, test } from 'vitest';
import { hashWord, scanWords } from '../../../src/base/text/tokens.ts';
import { SEGMENTED_OF_LINK, SEGMENTED_OF_PAGE, type Segmented } from '../../../src/base/text/unspaced-words.ts';

function words(text: string, segmented: Segmented = SEGMENTED_OF_PAGE): string[] {
  const found: string[] = [];
  scanWords(text, (_hash, start, end) => found.push(text.slice(start, end)), segmented);
  return found;
}

/** The words of the dictionary alone. */
function segmented(text: string): string[] {
  const segments = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)];
  return segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

const SENTENCES = {
  Thai: 'โรงสีน้ำทำงานวันละสองครั้งเมื่อน้ำทะเลลดลง',
  Lao: 'ໂຮງສີນ້ຳເຮັດວຽກມື້ລະສອງເທື່ອ',
  Khmer: 'រោងម៉ាស៊ីនកិនស្រូវធ្វើការពីរដងក្នុងមួយថ្ងៃ',
  Burmese: 'ရေစက်သည်တစ်နေ့လျှင်နှစ်ကြိမ်အလုပ်လုပ်သည်',
  Han: '潮汐磨坊每天工作两次',
  kana: 'すいしゃはいちにちににかいはたらく',
};

describe.each(Object.entries(SENTENCES))('%s', (_script, sentence) => {
  test('its words are those of the dictionary, at the first and the second reading', () => {
    expect(words(sentence)).toEqual(segmented(sentence));
    expect(words(`x ${sentence} ${sentence}y`)).toEqual(['x', ...segmented(sentence), ...segmented(sentence), 'y']);
  });

  test('an anchor of one run has the words of a page', () => {
    const anchor = sentence.slice(0, 24);
    expect(words(anchor, SEGMENTED_OF_LINK)).toEqual(words(anchor));
  });

  test('a letter by itself is a word', () => {
    expect(words([...sentence].filter((letter) => /\p{L}/u.test(letter)).join(' '))).toEqual(
      [...sentence].filter((letter) => /\p{L}/u.test(letter)),
    );
  });
});

test('a link with many runs has pairs of characters from the sixth on', () => {
  const runs = Array.from({ length: 12 }, (_, i) => `水车${'磨坊'.repeat(i % 2)}`);
  const found = words(runs.join(' '), SEGMENTED_OF_LINK);
  const asPairs = runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));
  expect(found.slice(-6)).toEqual(asPairs.slice(-6));
  expect(found).not.toEqual(words(runs.join(' ')));
});

test('the memory of runs and of folded words is emptied, not wrong, when it is full', () => {
  const letters = [...'はいちににかたらくすしゃ'];
  for (let i = 0; i < 40_000; i++) {
    const run = Array.from({ length: 5 }, (_, place) => letters[Math.floor(i / 12 ** place) % 12]).join('');
    if (i % 2000 === 0) expect(words(run)).toEqual(segmented(run));
    else words(run);
  }
  let hash = 0;
  for (let i = 0; i < 20_000; i++) scanWords(`e\u0301${i.toString(36)}`, (found) => (hash = found));
  expect(hash).toBe(hashWord(`é${(19_999).toString(36)}`));
});

test('letters beyond the Basic Multilingual Plane keep their class', () => {
  for (let i = 0; i < 2; i++) {
    expect(words('𠮷𠀋 a 𞤀𞤁 🙂')).toEqual([...segmented('𠮷𠀋'), 'a', '𞤀𞤁']);
  }
});
