/**
 * Which charsets are read right, by how the page declares them: with a byte order mark, a Content-Type header, a `<meta>`, or not at all.
 *
 *   npm run check -- charset
 *
 * Exit code 1 when a declared charset is read wrong.
 */
import { pathToFileURL } from 'node:url';
import { decodeText } from '../../../src/base/web/charset.ts';
import { CHARSET_SAMPLES, type CharsetSample } from './charset-table-samples.ts';

export const WAYS = ['bom', 'header', 'meta', 'undeclared'] as const;
export type Way = (typeof WAYS)[number];

export interface Cell {
  readonly way: Way;
  /** null where a page cannot be declared so: marks are Unicode's, and no `<meta>` of UTF-16 can be read before its charset is known. */
  readonly right: boolean | null;
  /** The charset it was read as; '' for no answer. */
  readonly readAs: string;
}

export interface Row {
  readonly label: string;
  readonly cells: readonly Cell[];
}

const MARKS: Readonly<Record<string, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};
const BEFORE = '<!doctype html><html><head><title>';
const AFTER = '</p></body></html>';

/** A row for each sample. */
export function charsetTable(): Row[] {
  return CHARSET_SAMPLES.map((sample) => ({ label: sample.label, cells: WAYS.map((way) => cellOf(sample, way)) }));
}

/** The page with a sample as its paragraph, and the charset of its header. */
export function samplePage({ label, base64 }: CharsetSample, way: Way): { readonly bytes: Uint8Array; readonly header: string | null } {
  const meta = way === 'meta' ? `<meta charset="${label}">` : '';
  const head = ascii(`${BEFORE}A page</title>${meta}</head><body><p>`, label);
  const mark = Buffer.from(way === 'bom' ? (MARKS[label] ?? []) : []);
  const bytes = Buffer.concat([mark, head, Buffer.from(base64, 'base64'), ascii(AFTER, label)]);
  return { bytes, header: way === 'header' ? label : null };
}

function cellOf(sample: CharsetSample, way: Way): Cell {
  const possible = way === 'bom' ? sample.label in MARKS : way === 'meta' ? !sample.label.startsWith('utf-16') : true;
  if (!possible) return { way, right: null, readAs: '' };
  const { bytes, header } = samplePage(sample, way);
  const { text, charset } = decodeText(bytes, header, true);
  const paragraph = text.slice(text.indexOf('<p>') + 3, -AFTER.length);
  // windows-1258 writes tones as marks of their own; which of the two spellings is read does not matter.
  return { way, right: text.startsWith(BEFORE) && paragraph.normalize('NFC') === sample.text, readAs: charset };
}

/** Markup in the sample's charset: two bytes a character in UTF-16, one everywhere else. */
function ascii(markup: string, label: string): Buffer {
  if (!label.startsWith('utf-16')) return Buffer.from(markup, 'latin1');
  const little = Buffer.from(markup, 'utf16le');
  return label === 'utf-16le' ? little : little.swap16();
}

/** The table in Markdown. */
export function charsetTableText(rows: readonly Row[]): string {
  const lines = rows.map(({ label, cells }) => `| ${label} | ${cells.map(cellText).join(' | ')} |`);
  const sums = WAYS.map((way) => `${countRight(rows, way)} of ${rows.filter((row) => cell(row, way)?.right !== null).length}`);
  return [`| charset | ${WAYS.join(' | ')} |`, '|---|---|---|---|---|', ...lines, `| right | ${sums.join(' | ')} |`].join('\n');
}

export function countRight(rows: readonly Row[], way: Way): number {
  return rows.filter((row) => cell(row, way)?.right === true).length;
}

function cell(row: Row, way: Way): Cell | undefined {
  return row.cells.find((one) => one.way === way);
}

function cellText({ right, readAs }: Cell): string {
  if (right === null) return '';
  return right ? 'right' : `WRONG: ${readAs}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = charsetTable();
  process.stdout.write(`${charsetTableText(rows)}\n`);
  const wrong = rows.flatMap(({ cells }) => cells).filter(({ way, right }) => way !== 'undeclared' && right === false);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
