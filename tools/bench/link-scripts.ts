/**
 * CPU time of a page of 1 MB of links, by script and by the shape of its anchors, as a multiple of the Latin page of the same shape. Letters are drawn
 * at random, so that dictionaries and memories of words help least. Exit code 1 if a page of single letters takes more than `--most` times as long.
 *
 *   npm run bench -- link-scripts [--rounds 3] [--most 3]
 */
import { parseArgs } from 'node:util';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pageReading } from '../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../src/crawling/reader/read-page.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { parseRule } from '../../src/reading/topic/rule.ts';
import { trainKeywords } from '../../src/reading/topic/train-keywords.ts';
import { cpuMs } from '../../test/support/cpu-time.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, most: { type: 'string', default: '3' } } });

/** First and last letters of ranges from which the letters of a word are drawn in turn (Unicode 15, Blocks.txt): letters, and marks where words have them. */
type Letters = readonly (readonly [number, number])[];
const LATIN: Letters = [[0x61, 0x7a]];
const SCRIPTS: Readonly<Record<string, Letters>> = {
  Latin: LATIN,
  Cyrillic: [[0x430, 0x44f]],
  Arabic: [[0x627, 0x63a]],
  Devanagari: [
    [0x915, 0x939],
    [0x93e, 0x94c],
  ],
  Hangul: [[0xac00, 0xd7a3]],
  'Latin with combining marks': [
    [0x61, 0x7a],
    [0x300, 0x309],
  ],
  Thai: [[0xe01, 0xe2e]],
  Lao: [[0xe94, 0xeab]],
  Khmer: [[0x1780, 0x17b3]],
  Burmese: [[0x1000, 0x102a]],
  Han: [[0x4e00, 0x9fff]],
  kana: [[0x3041, 0x3096]],
};

const SHAPES: Readonly<Record<string, (word: (length: number) => string, latin: string) => string>> = {
  'single letters': (word) => Array.from({ length: 100 }, () => word(1)).join(' '),
  'words of three': (word) => Array.from({ length: 33 }, () => word(3)).join(' '),
  'words of six': (word) => Array.from({ length: 16 }, () => word(6)).join(' '),
  'a run of 20': (word) => word(20),
  'each beside a Latin letter': (word, latin) => Array.from({ length: 60 }, () => word(1) + latin).join(''),
};

const PAGE_BYTES = 1_000_000;
const rng = seededRng(7);
const url = canonicalize('http://127.0.0.1/');
if (url === null) throw new Error('the address of the pages is none');
const { model } = await trainKeywords({
  name: 'bench',
  seed: 1,
  extractor: DEFAULT_MAIN_TEXT_METHOD,
  now: 0,
  software: 'bench',
  keywords: parseRule('moss'),
});
const reading = await pageReading([model], 'anchor-and-context', { productToken: 'forager', extractor: DEFAULT_MAIN_TEXT_METHOD }, true);

function wordOf(letters: Letters, length: number, draw: Rng): string {
  return Array.from({ length }, (_, i) => {
    const [first, last] = letters[i % letters.length] ?? [0x61, 0x7a];
    return String.fromCodePoint(first + Math.floor(draw() * (last - first + 1)));
  }).join('');
}

function pageOf(anchor: () => string): Buffer {
  const parts: string[] = [];
  for (let size = 0, i = 0; size < PAGE_BYTES; i++) {
    const link = `<p><a href="/p${i}">${anchor()}</a></p>`;
    parts.push(link);
    size += Buffer.byteLength(link);
  }
  return Buffer.from(parts.join(''));
}

/** The least CPU time of the rounds, each with a page of its own. */
function timeOf(letters: Letters, shape: (typeof SHAPES)[string]): number {
  const anchor = () => shape((length) => wordOf(letters, length, rng), wordOf(LATIN, 1, rng));
  const times = Array.from({ length: Number(values.rounds) }, () => {
    const body = pageOf(anchor);
    return cpuMs(() =>
      readPage({ url, headers: { 'content-type': 'text/html; charset=utf-8' }, body } as Parameters<typeof readPage>[0], reading),
    );
  });
  return Math.min(...times);
}

timeOf(LATIN, (word) => word(5));
const shapes = Object.entries(SHAPES);
console.log(`| script | ${shapes.map(([name]) => `${name}, ms (× Latin)`).join(' | ')} |\n| --- |${' --- |'.repeat(shapes.length)}`);
const latin = shapes.map(([, shape]) => timeOf(LATIN, shape));
let worst = 0;
for (const [script, letters] of Object.entries(SCRIPTS)) {
  const times = shapes.map(([, shape]) => timeOf(letters, shape));
  const ratios = times.map((time, i) => time / (latin[i] ?? Number.NaN));
  worst = Math.max(worst, ratios[0] ?? 0);
  console.log(`| ${script} | ${times.map((time, i) => `${time.toFixed(0)} (${ratios[i]?.toFixed(1)})`).join(' | ')} |`);
}
if (worst > Number(values.most)) process.exitCode = 1;
