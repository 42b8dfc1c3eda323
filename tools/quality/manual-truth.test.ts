import { expect, test } from 'vitest';
import { asciidocTruths, manualWords, restTruths, type Truth } from './manual-truth.ts';
import { docbookTruths, manTruths } from './markup-truth.ts';

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

test('truths of notes have their title and their first line', () => {
  const source =
    'Planes\n======\n\n.. note::\n\n   Keep the iron dry in the winter months\n\n.. seealso:: The chapter about saws and their teeth\n\n.. tip:: `x`\n';
  expect(shown(restTruths(source))).toEqual([
    'title: Note\nKeep the iron dry in the winter months',
    'title: See also\nThe chapter about saws and their teeth',
  ]);
});

test('truths of groff', () => {
  const source =
    '.\\" A comment\n.TH PLANE 1\n.SH NAME\nplane \\- takes \\fIshavings\\fP off\n.SH SYNOPSIS\n.B plane\n.RI [ options ]\n.SH "DESCRIPTION"\n' +
    'A plane takes thin shavings off a board\nand no others.\n.PP\nShort.\n.TP\n.BR \\-d ", " \\-\\-depth =\\fIN\\fR\nDepth.\n.IP "\\fB\\-\\-dry\\-run\\fP" 4\nNothing.\n.IP 1. 2\n.sp\nThe blade\\(aqs edge is sharp, and it cuts\n';
  expect(shown(manTruths(source))).toEqual([
    'description: takes shavings off',
    'synopsis: plane',
    'paragraph: A plane takes thin shavings off a board',
    'option: -d --depth N',
    'option: --dry -run',
    'paragraph: The blade s edge is sharp and it cuts',
  ]);
});

test('truths of DocBook', () => {
  const source =
    '<refentry><!-- <refpurpose>no</refpurpose> --><refpurpose>takes shavings off</refpurpose><cmdsynopsis><command>plane</command>\n <arg>-d</arg></cmdsynopsis>' +
    '<para>A plane takes <emphasis>thin</emphasis> shavings off a board of wood, one after the other<footnote><para>Or two.</para></footnote>.</para>' +
    '<varlistentry><term>--depth=<replaceable>N</replaceable> &amp; co</term></varlistentry><note><para>Keep it dry</para></note></refentry>';
  expect(shown(docbookTruths(source))).toEqual([
    'description: takes shavings off',
    'synopsis: plane -d',
    'option: --depth N co',
    'footnote: Or two',
    'paragraph: A plane takes thin shavings off a board of wood',
    'title: Note\nKeep it dry',
  ]);
});
