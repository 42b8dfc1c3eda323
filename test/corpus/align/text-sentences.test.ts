import { expect, test } from 'vitest';
import { cutText } from '../../../src/corpus/align/text-sentences.ts';

function cut(text: string, lang = 'en'): [border: string, sentence: string][] {
  const { sentences, borders } = cutText(text, lang);
  return sentences.map(({ start, end }, i) => [borders[i] ?? '', text.slice(start, end)]);
}

test('paragraphs, lines and cells end a sentence', () => {
  expect(cut('Title\n\nOne is here. Two is\nhere. And\t12\tcells\n\nItems\nFirst item\nSecond item,\ngoes on')).toEqual([
    ['paragraph', 'Title'],
    ['paragraph', 'One is here.'],
    ['none', 'Two is\nhere.'],
    ['none', 'And'],
    ['line', '12'],
    ['line', 'cells'],
    ['paragraph', 'Items'],
    ['line', 'First item'],
    ['line', 'Second item,\ngoes on'],
  ]);
});

test('scripts without spaces are cut at their marks, and signs alone are no sentence', () => {
  expect(cut('你好。请读文件！', 'zh').map(([, sentence]) => sentence)).toEqual(['你好。', '请读文件！']);
  expect(cut('Really? …')).toEqual([['paragraph', 'Really? …']]);
  expect(cut(' \n\n\t')).toEqual([]);
});
