import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paragraphRanges } from '../../../src/base/text/segments.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { withoutParagraphs } from '../../../src/corpus/select/page-ranges.ts';
import { runs } from '../../support/extent.ts';
import { recordWith, selected } from './selected.ts';

/** The marked paragraphs of each page, as text. */
const marked = (pages: readonly HarvestedPage[]) =>
  pages.map(({ text, repeated = [], foreign = [] }) => [...repeated, ...foreign].map(([start, end]) => text.slice(start, end)));

describe('repeated paragraphs', () => {
  const NOTICE = 'Read our  newsletter.';
  /** Pages of a host with a paragraph each of their own. */
  const pagesOf = (host: string, count: number, ...more: string[]) =>
    Array.from({ length: count }, (_, i) => recordWith([`Of ${host} alone ${i}.`, ...more].join('\n'), host, i));

  test('are those of three pages of a host, but not of two; the first page keeps its own', async () => {
    const three = await selected(pagesOf('a.example', 3, NOTICE), { repeated: 'mark' });
    expect(marked(three.pages)).toEqual([[], [NOTICE], [NOTICE]]);
    const two = [...pagesOf('a.example', 2, NOTICE), ...pagesOf('b.example', 2, NOTICE)];
    expect(marked((await selected(two, { repeated: 'mark' })).pages)).toEqual([[], [], [], []]);
  });

  test('are those of ten pages on as many hosts, but not of nine', async () => {
    const on = (hosts: number) => Array.from({ length: hosts }, (_, i) => pagesOf(`h${i}.example`, 1, NOTICE)).flat();
    expect(marked((await selected(on(9), { repeated: 'mark' })).pages).flat()).toEqual([]);
    expect(marked((await selected(on(10), { repeated: 'mark' })).pages).flat()).toHaveLength(9);
  });

  test('are the same in any case and spacing, and count once a page', async () => {
    const forms = ['READ our newsletter.', ' read  our newsletter. ', 'Read our newsletter.'];
    const records = forms.map((form, i) => recordWith(`Own ${i}\n${form}\n${form}`, 'a.example', i));
    expect(marked((await selected(records, { repeated: 'mark' })).pages)).toEqual([
      [forms[0]],
      [forms[1]?.trimEnd(), forms[1]?.trimEnd()],
      [forms[2], forms[2]],
    ]);
    const twice = [recordWith('Twice\nTwice\nTwice', 'a.example', 1), recordWith('Twice', 'a.example', 2)];
    expect(marked((await selected(twice, { repeated: 'mark' })).pages)).toEqual([[], []]);
  });

  test('are counted among pages of the corpus only', async () => {
    const records = pagesOf('a.example', 3, NOTICE).map((record, i) => ({ ...record, relevance: i / 10 }));
    expect(marked((await selected(records, { repeated: 'mark', minRelevance: 0.1 })).pages)).toEqual([[], []]);
  });

  test('are cut, where asked, and lines without letters are not', async () => {
    const { pages } = await selected(pagesOf('a.example', 4, NOTICE, '}', 'Last.'), { repeated: 'drop' });
    expect(pages.map(({ text }) => text)).toEqual([
      `Of a.example alone 0.\n${NOTICE}\n}\nLast.`,
      ...[1, 2, 3].map((i) => `Of a.example alone ${i}.\n}`),
    ]);
    expect(pages.some((page) => 'repeated' in page)).toBe(false);
  });

  test('are found by counts of all pages, whatever the texts', async () => {
    const paragraph = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const drawn = fc.array(fc.record({ host: fc.constantFrom('x', 'y'), lines: fc.array(paragraph, { maxLength: 4 }) }), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(drawn, async (made) => {
        const records = made.map(({ host, lines }, i) => recordWith(lines.join('\n'), `${host}.example`, i));
        const { pages } = await selected(records, { repeated: 'mark' });
        const having = (line: (typeof made)[number]['lines'][number], host?: string) =>
          made.flatMap((page, i) => (page.lines.includes(line) && (host === undefined || page.host === host) ? [i] : []));
        const expected = made.map(({ host, lines }, i) =>
          lines.filter((line, at) => {
            const [all, own] = [having(line), having(line, host)];
            const first = all.length >= 10 ? all[0] : own.length >= 3 ? own[0] : undefined;
            return first !== undefined && (first !== i || lines.indexOf(line) < at);
          }),
        );
        expect(marked(pages)).toEqual(expected);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('paragraphs in another language', () => {
  const ENGLISH = 'The moss grows on the northern side of the old stone wall, where the sun does not reach it in the summer.';
  const GERMAN = 'Das Moos wächst auf der Nordseite der alten Mauer, wo die Sonne es auch im Sommer nicht erreicht.';
  const records = [
    recordWith(`${ENGLISH}\n${GERMAN}\nKurz gesagt.`, 'a.example', 1, { lang: 'en-GB' }),
    recordWith(`${GERMAN}\n${ENGLISH}`, 'a.example', 2, { lang: 'ger' }),
    recordWith(`${GERMAN}\n${ENGLISH}`, 'a.example', 3, { lang: 'und' }),
  ];

  test('are marked with their language; short ones and pages of unknown language are not', async () => {
    const { pages } = await selected(records, { langParagraphs: 'mark' });
    expect(marked(pages)).toEqual([[GERMAN], [ENGLISH], []]);
    expect(pages.map(({ foreign = [] }) => foreign.map(([, , lang]) => lang))).toEqual([['de'], ['en'], []]);
  });

  test('are cut, where asked', async () => {
    const { pages } = await selected(records, { langParagraphs: 'drop' });
    expect(pages.map(({ text }) => text)).toEqual([`${ENGLISH}\nKurz gesagt.`, GERMAN, records[2]?.text]);
  });

  test('keep their ranges where repeated ones are cut', async () => {
    const three = [0, 1, 2].map((i) => recordWith(`Hello again.\n${ENGLISH}${i}\n${GERMAN} ${i}`, 'a.example', i));
    const { pages } = await selected(three, { langParagraphs: 'mark', repeated: 'drop' });
    expect(marked(pages)).toEqual([0, 1, 2].map((i) => [`${GERMAN} ${i}`]));
    expect(pages.map(({ text }) => text.startsWith('Hello'))).toEqual([true, false, false]);
  });
});

test('a text without some paragraphs is those that stay, as far apart as before', () => {
  const lines = fc.array(fc.constantFrom('', ' ', 'peat', ' bog ', 'fen and moss'), { maxLength: 8 });
  fc.assert(
    fc.property(lines, fc.infiniteStream(fc.boolean()), (made, isCut) => {
      const page = { text: made.join('\n') } as HarvestedPage;
      const all = [...paragraphRanges(page.text)];
      const gap = /\n\s*\n/.test(page.text) ? '\n\n' : '\n';
      const expected = page.text.split(gap === '\n' ? '\n' : /\n\s*\n/).flatMap((part) => part.replace(/^\n/, '').trimEnd() || []);
      expect(all.map(([start, end]) => page.text.slice(start, end).trim())).toEqual(expected.map((part) => part.trim()));
      const cuts = all.filter(() => isCut.next().value);
      const foreign = all.map(([start, end]) => [start, end, page.text.slice(start, end)] as const);
      const cut = withoutParagraphs({ ...page, foreign }, cuts);
      for (const [start, end, text] of cut.foreign ?? []) expect(cut.text.slice(start, end)).toBe(text);
      expect(cut.foreign).toHaveLength(all.length - cuts.length);
      const kept = all.filter((range) => !cuts.includes(range)).map(([start, end]) => page.text.slice(start, end));
      if (cuts.length > 0) expect(cut.text).toBe(kept.join(gap));
    }),
  );
});
