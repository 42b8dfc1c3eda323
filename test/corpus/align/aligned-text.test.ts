import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignTexts, type TextAlignment } from '../../../src/corpus/align/aligned-text.ts';

const ENGLISH = `Starting the installer

The installer starts. It asks for the disk. Then it writes 250 MB of files to /dev/sda. You wait ten minutes.

Do not switch the machine off!`;
const FRENCH = `Démarrer l'installateur

L'installateur démarre. Il demande le disque, puis il écrit 250 Mo de fichiers sur /dev/sda. Vous attendez dix minutes.

N'éteignez pas la machine !

Fin de la page`;

/** Beads as the numbers of their sentences. */
function shape({ beads }: TextAlignment): string {
  return beads.map(({ left, right }) => `${left[1] - left[0]}-${right[1] - right[0]}`).join(' ');
}

function textOf(text: string, sentences: TextAlignment['left'], [from, to]: readonly [number, number]): string[] {
  return sentences.slice(from, to).map(({ start, end }) => text.slice(start, end));
}

describe('two texts are aligned', () => {
  const alignment = alignTexts({ text: ENGLISH, lang: 'en' }, { text: FRENCH, lang: 'fr' });

  test('two sentences have one as their translation, and one has none', () => {
    expect(shape(alignment)).toBe('1-1 1-1 2-1 1-1 1-1 0-1');
    const merged = alignment.beads[2];
    expect(textOf(ENGLISH, alignment.left, merged?.left ?? [0, 0])).toEqual([
      'It asks for the disk.',
      'Then it writes 250 MB of files to /dev/sda.',
    ]);
    expect(alignment.beads.at(-1)?.score).toBe(0);
    expect(alignment.isCapped).toBe(false);
  });

  test('each sentence is in one bead, in order', () => {
    for (const side of ['left', 'right'] as const) {
      const ends = alignment.beads.map((bead) => bead[side]);
      expect(ends.map(([from]) => from)).toEqual([0, ...ends.slice(0, -1).map(([, to]) => to)]);
      expect(ends.at(-1)?.[1]).toBe(alignment[side].length);
    }
  });

  test('a text without words has no pairs', () => {
    expect(alignTexts({ text: '', lang: 'en' }, { text: '', lang: 'fr' }).beads).toEqual([]);
    expect(shape(alignTexts({ text: 'A word. Two.', lang: 'en' }, { text: '', lang: 'fr' }))).toBe('1-0 1-0');
    expect(shape(alignTexts({ text: '', lang: 'en' }, { text: 'Un mot.', lang: 'fr' }))).toBe('0-1');
  });
});

test('numbers find the partner of a sentence where lengths do not', () => {
  const years = [1871, 1884, 1902, 1919, 1926, 1948, 1955, 1963, 1977, 1989];
  const kept = years.filter((_, i) => i !== 2 && i !== 6);
  const left = years.map((year) => `It was made in ${year}, not before.`).join('\n\n');
  const right = kept.map((year) => `Es wurde ${year} gemacht, nicht früher.`).join('\n\n');
  const sides = [
    { text: left, lang: 'en' },
    { text: right, lang: 'de' },
  ] as const;
  expect(shape(alignTexts(...sides))).toBe('1-1 1-1 1-0 1-1 1-1 1-1 1-0 1-1 1-1 1-1');
  expect(shape(alignTexts(...sides, { cues: 'length' }))).not.toBe('1-1 1-1 1-0 1-1 1-1 1-1 1-0 1-1 1-1 1-1');
});

test('Chinese is cut at its own marks', () => {
  const left = 'Read the file. It has 12 lines. Is it long?';
  const right = '阅读该文件。它有12行。它很长吗？';
  expect(shape(alignTexts({ text: left, lang: 'en' }, { text: right, lang: 'zh' }))).toBe('1-1 1-1 1-1');
});

test('a text that is too long is capped', () => {
  const many = alignTexts({ text: 'A word.\n\n'.repeat(50_000), lang: 'en' }, { text: 'Un mot.', lang: 'fr' });
  expect(many.isCapped).toBe(true);
  expect(many.left).toHaveLength(40_000);
  const long = alignTexts({ text: 'a'.repeat(5_000_000), lang: 'en' }, { text: 'Un mot.', lang: 'fr' });
  expect(long.isCapped).toBe(true);
  expect(long.left).toHaveLength(1);
});

describe('a text that repeats its words costs little more than one that does not', () => {
  const sentences = 40;
  const ordinary = Array.from(
    { length: sentences },
    (_, i) => `Bridge ${Array.from({ length: 198 }, (_, k) => 1000 + 198 * i + k).join(' ')} stop.`,
  );
  const beginnings = Array.from({ length: 198 }, (_, i) => `abcde${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`).join(' ');

  test.each([
    ['one number', `Bridge ${'7 '.repeat(198)}stop.`],
    ['one word', `Bridge ${'bridge '.repeat(198)}stop.`],
    ['words with one beginning', `Bridge ${beginnings} stop.`],
  ])('%s', { timeout: 120_000 }, (_, sentence) => {
    secondsOf(ordinary.join(' '));
    const bound = 30 * secondsOf(ordinary.join(' '));
    expect(secondsOf(`${sentence} `.repeat(sentences))).toBeLessThan(bound);
  });

  /** CPU time, which other processes change little. */
  function secondsOf(text: string): number {
    const start = process.cpuUsage();
    expect(alignTexts({ text, lang: 'en' }, { text, lang: 'fr' }).left).toHaveLength(sentences);
    return process.cpuUsage(start).user / 1e6;
  }
});

test('a number that a sentence repeats counts as often as it is there', () => {
  const left = 'Set it to 7, 7, 7 and 7.\n\nSet it to 7.\n\nSet it to 7 and 7.';
  const right = 'Auf 7, 7, 7 und 7 stellen.\n\nAuf 7 und 7 stellen.';
  expect(shape(alignTexts({ text: left, lang: 'en' }, { text: right, lang: 'de' }))).toBe('1-1 1-0 1-1');
});

test('beads of any texts have each sentence once, in order, and scores only with both sides', () => {
  const words = fc.constantFrom('Alpha. ', 'beta 12 ', 'Gamma? ', '\n', '\n\n', '\t', '中文。', 'é', '. ', '(', 'https://a.example/b ');
  const text = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, fc.boolean(), (left, right, isLength) => {
      const sides = [
        { text: left, lang: 'en' },
        { text: right, lang: 'und' },
      ] as const;
      const alignment = alignTexts(...sides, { cues: isLength ? 'length' : 'all' });
      for (const side of ['left', 'right'] as const) {
        const covered = alignment.beads.flatMap(({ [side]: [from, to] }) => Array.from({ length: to - from }, (_, i) => from + i));
        expect(covered).toEqual([...alignment[side].keys()]);
      }
      for (const { left: l, right: r, score } of alignment.beads) {
        expect(score >= 0 && score <= 1).toBe(true);
        if (l[0] === l[1] || r[0] === r[1]) expect(score).toBe(0);
      }
      expect(alignTexts(...sides, { cues: isLength ? 'length' : 'all' })).toEqual(alignment);
    }),
    { numRuns: 60 },
  );
});

test('a page with the wrong partner has lower scores than one with the right one', () => {
  const wrong = `Cats and dogs

They have lived here since 1950. Nobody fed them at first. Some are grey. The others are as black as the 12 nights of winter.

Are they yours?`;
  const best = (text: string): number =>
    Math.max(...alignTexts({ text: wrong, lang: 'en' }, { text, lang: 'fr' }).beads.map(({ score }) => score));
  expect(best(FRENCH)).toBeLessThan(
    Math.max(...alignTexts({ text: ENGLISH, lang: 'en' }, { text: FRENCH, lang: 'fr' }).beads.map(({ score }) => score)) / 1.5,
  );
});
