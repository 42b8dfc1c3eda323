import { expect, test } from 'vitest';
import { asciidocTruths, manualWords, restTruths, type Truth } from './manual-truth.ts';

const shown = (truths: readonly Truth[]) => truths.map(({ kind, words }) => `${kind}: ${words}`);

test('words keep the dashes before them', () => {
  expect(manualWords('plane [-d | --depth=<n>], plane-iron(1) §')).toBe('plane -d --depth n plane -iron 1');
});

test('truths of AsciiDoc', () => {
  const source =
    "plane(1)\n========\n\nNAME\n----\nplane - takes `shavings` off\n\nSYNOPSIS\n--------\n[verse]\n'plane' [-d <depth>] BOARD\n\n" +
    'DESCRIPTION\n-----------\nA plane takes thin shavings off a board\n\n-d::\n--depth=<n>::\n\tHow deep it cuts.footnote:[In hundredths.]\n\nifdef::html[]\nShort one\n';
  expect(shown(asciidocTruths(source))).toEqual([
    'description: plane takes shavings off',
    'synopsis: plane -d depth BOARD',
    'paragraph: A plane takes thin shavings off a board',
    'option: -d',
    'option: --depth n',
    'footnote: In hundredths',
  ]);
});

test('truths of reStructuredText', () => {
  const source =
    'Planes\n======\n\nA plane takes thin shavings off a board\n\nSynopsis\n--------\n\nplane [-d] BOARD\n\n.. option:: -d, --depth\n\n   Depth.\n\n' +
    '.. py:function:: cut(board, *, depth=1)\n\n``SHARP``\n  Whether it is.\n\nThe second paragraph has words enough too\n\n.. [1] Seen by the owner\n.. [#x] Not ``plain``\n';
  expect(shown(restTruths(source))).toEqual([
    'description: A plane takes thin shavings off a board',
    'synopsis: plane -d BOARD',
    'option: -d --depth',
    'signature: cut board depth 1',
    'option: SHARP',
    'paragraph: The second paragraph has words enough too',
    'footnote: Seen by the owner',
  ]);
});
