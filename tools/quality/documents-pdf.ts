/**
 * PDFs as Forager reads them.
 *
 *   npm run check -- documents-pdf [--printed 40] [--mutated 2000] [--folder DIR] [--files 200]
 *
 * Prints `--printed` generated pages in eight scripts by Chromium, and compares the text (F1 of pairs of words) with the source, by script and layout.
 * Without Chromium this part is skipped. With `--folder`, e.g. unpacked Debian packages, compares up to `--files` PDFs there with poppler's `pdftotext -raw`
 * and `pdfinfo`. Then reads `--mutated` damaged PDFs: each has a typed outcome within 10 s. Exit code 1 if a bound does not hold.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { grouped } from '../../src/base/core/grouped.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pdf } from '../../src/reading/documents/kinds/pdf.ts';
import { openDocument } from '../../src/reading/documents/open-document.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { pdfLines, writePdf } from '../../test/support/pdf-writer.ts';
import { mutatedPdf } from './pdf/mutated-pdfs.ts';
import { printedPages } from './pdf/printed-pages.ts';
import { bigramF1 } from './pdf/word-bigrams.ts';

const MAX_MS: Ms = 10_000;
/** Least mean F1, or that of poppler, if it is less: some glyphs of Chinese and Japanese have no character in the printed file. Others are only reported. */
const LEAST: Readonly<Record<string, number>> = {
  English: 0.995,
  German: 0.995,
  Russian: 0.995,
  Greek: 0.995,
  Chinese: 0.97,
  Japanese: 0.97,
};

const { values } = parseArgs({
  options: {
    printed: { type: 'string', default: '40' },
    mutated: { type: 'string', default: '2000' },
    folder: { type: 'string' },
    files: { type: 'string', default: '200' },
  },
});
const extractor = pageExtractor({ productToken: 'forager' });
const faults: string[] = [];
const samples: Uint8Array[] = [writePdf([{ texts: pdfLines(['The mill of the tide.', 'It turns.']) }])];

if (has('chromium')) await comparePrinted();
else console.log('chromium is not installed (apt-get install chromium): no printed pages');
if (values.folder !== undefined && has('pdftotext')) await compareFolder(values.folder);
else console.log('no comparison with poppler: it takes --folder, and pdftotext (apt-get install poppler-utils)');
await readMutated();
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The extraction of a PDF; null if it has none. */
async function read(body: Uint8Array) {
  const url = canonicalize('http://papers.example/a.pdf');
  const opened = url === null ? null : await openDocument({ url, headers: {}, body }, pdf);
  return opened?.kind === 'page' ? extractor.extract(opened.page) : null;
}

async function comparePrinted(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-printed-'));
  const scores: { readonly script: string; readonly layout: string; readonly f1: number; readonly poppler: number }[] = [];
  for (const { script, layout, pdf: file, text } of printedPages(dir, Number(values.printed))) {
    const other = has('pdftotext') ? output('pdftotext', ['-raw', '-enc', 'UTF-8', '-', '-'], file) : null;
    scores.push({ script, layout, f1: bigramF1((await read(file))?.text ?? '', text), poppler: bigramF1(other ?? '', text) });
    if (samples.length < 20) samples.push(file);
  }
  rmSync(dir, { recursive: true });
  console.log('| script | layout | pages | mean F1 | poppler |\n| --- | --- | ---: | ---: | ---: |');
  for (const [key, of] of grouped(scores, ({ script, layout }) => `${script} | ${layout}`))
    console.log(
      `| ${key} | ${of.length} | ${mean(of.map(({ f1 }) => f1)).toFixed(4)} | ${mean(of.map(({ poppler }) => poppler)).toFixed(4)} |`,
    );
  for (const [script, of] of grouped(scores, (one) => one.script)) {
    const f1 = mean(of.map((one) => one.f1));
    const poppler = mean(of.map((one) => one.poppler));
    console.log(`| ${script} | all | ${of.length} | ${f1.toFixed(4)} | ${poppler.toFixed(4)} |`);
    if (f1 < Math.min(LEAST[script] ?? 0, poppler || 1)) faults.push(`${script}: ${f1.toFixed(4)} is below ${LEAST[script]}`);
  }
}

async function compareFolder(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.pdf') && statSync(join(folder, name)).size < 800_000,
  );
  const step = Math.max(1, Math.floor(names.length / Number(values.files)));
  const scores: { readonly name: string; readonly f1: number }[] = [];
  let [pages, titles] = [0, 0];
  for (const name of names.sort().filter((_, at) => at % step === 0)) {
    const path = join(folder, name);
    const extraction = await read(readFileSync(path));
    const [text, info] = [output('pdftotext', ['-raw', '-enc', 'UTF-8', path, '-']), output('pdfinfo', [path])];
    if (extraction === null || text === null) {
      console.log(
        `${name}: ${extraction === null ? 'not read' : 'read'}, pdftotext ${text === null ? 'failed' : `${text.length} characters`}`,
      );
      continue;
    }
    const f1 = bigramF1(extraction.text, unbroken(text));
    scores.push({ name, f1 });
    if (f1 < 0.8) console.log(`${f1.toFixed(3)} ${name}`);
    if (Number(/^Pages:\s+(\d+)/m.exec(info ?? '')?.[1]) === extraction.document?.pages) pages += 1;
    if ((/^Title:\s+(.*)$/m.exec(info ?? '')?.[1]?.trim() || null) === extraction.document?.declaredTitle) titles += 1;
  }
  const sorted = scores.map(({ f1 }) => f1).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(3);
  console.log(`${scores.length} files: median ${at(0.5)}, tenth percentile ${at(0.1)}; equal page counts ${pages}, equal titles ${titles}`);
}

/** Words that a line ends with a hyphen are joined, and lines of unspaced scripts. */
function unbroken(text: string): string {
  return text.replace(/(\p{L})[-\u00ad]\n(\p{Ll})/gu, '$1$2');
}

function output(program: string, words: readonly string[], input?: Uint8Array): string | null {
  try {
    return execFileSync(program, words, { maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'], input: input ?? '' }).toString();
  } catch {
    return null;
  }
}

async function readMutated(): Promise<void> {
  const outcomes = new Map<string, number>();
  let slowest: Ms = 0;
  for (let seed = 0; seed < Number(values.mutated); seed++) {
    const bytes = mutatedPdf(samples[seed % samples.length] ?? new Uint8Array(), seed);
    const start = performance.now();
    const url = canonicalize('http://papers.example/a.pdf');
    const opened = url === null ? null : await openDocument({ url, headers: {}, body: bytes }, pdf);
    if (opened?.kind === 'page') extractor.extract(opened.page);
    const took = performance.now() - start;
    slowest = Math.max(slowest, took);
    if (took > MAX_MS) faults.push(`damaged file ${seed}: ${Math.round(took)} ms`);
    const outcome = opened === null ? 'none' : opened.kind === 'page' ? 'page' : `${opened.kind}:${opened.reason}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  console.log(
    `${values.mutated} damaged files: ${[...outcomes].map(([name, count]) => `${count} ${name}`).join(', ')}; the slowest took ${Math.round(slowest)} ms`,
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
