/**
 * PDFs as Forager reads them.
 *
 *   npm run check -- documents-pdf [--printed 40] [--mutated 2000] [--folder DIR] [--files 200] [--verbose]
 *
 * Prints `--printed` generated pages in eight scripts by Chromium, and compares the text (F1 of pairs of words) with the source, by script and layout.
 * Without Chromium this part is skipped; without a font for Chinese and Japanese (Debian's fonts-noto-cjk), these two are.
 * With `--folder`, e.g. unpacked Debian packages, compares about `--files` PDFs there with poppler: the text with `pdftotext -raw`, of mostly right-to-left
 * files with plain `pdftotext` (`-raw` has such words in the order of their shapes), and pages, title, authors and links with `pdfinfo`. Then reads `--mutated` damaged PDFs: each has a typed outcome within 10 s. Exit code 1 if a bound does not hold.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { grouped } from '../../src/base/core/grouped.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { textOfLine } from '../../src/reading/documents/kinds/pdf/glyph-lines.ts';
import { PdfFile } from '../../src/reading/documents/kinds/pdf/pdf-file.ts';
import { linesOf } from '../../src/reading/documents/kinds/pdf/pdf-reader.ts';
import { Pdfium } from '../../src/reading/documents/kinds/pdf/pdfium.ts';
import { pdf } from '../../src/reading/documents/kinds/pdf.ts';
import { openDocument } from '../../src/reading/documents/open-document.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { pdfLines, writePdf } from '../../test/support/pdf-writer.ts';
import { mutatedPdf } from './pdf/mutated-pdfs.ts';
import { PopplerTally } from './pdf/poppler-tally.ts';
import { printedPages } from './pdf/printed-pages.ts';
import { bigramF1 } from './pdf/word-bigrams.ts';

const MAX_MS: Ms = 10_000;
/** Least mean F1. Others are only reported. */
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
    verbose: { type: 'boolean', default: false },
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
  const pdfium = await Pdfium.open();
  const scores: PrintedScore[] = [];
  for (const { script, layout, pdf: file, text } of printedPages(dir, Number(values.printed))) {
    const other = has('pdftotext') ? output('pdftotext', ['-raw', '-enc', 'UTF-8', '-', '-'], file) : null;
    scores.push({
      ...{ script, layout, f1: bigramF1((await read(file))?.text ?? '', text) },
      ...{ whole: bigramF1(wholeText(pdfium, file), text), poppler: bigramF1(other ?? '', text) },
    });
    if (samples.length < 20) samples.push(file);
  }
  rmSync(dir, { recursive: true });
  console.log('| script | layout | pages | mean F1 | with heads and feet | poppler |\n| --- | --- | ---: | ---: | ---: | ---: |');
  for (const [key, of] of grouped(scores, ({ script, layout }) => `${script} | ${layout}`)) console.log(rowOf(key, of));
  for (const [script, of] of grouped(scores, (one) => one.script)) {
    console.log(rowOf(`${script} | all`, of));
    const f1 = mean(of.map((one) => one.f1));
    if (f1 < (LEAST[script] ?? 0)) faults.push(`${script}: ${f1.toFixed(4)} is below ${LEAST[script]}`);
  }
}

interface PrintedScore {
  readonly script: string;
  readonly layout: string;
  readonly f1: number;
  /** F1 of all lines, with heads and feet. */
  readonly whole: number;
  readonly poppler: number;
}

function rowOf(key: string, scores: readonly PrintedScore[]): string {
  const means = [scores.map(({ f1 }) => f1), scores.map(({ whole }) => whole), scores.map(({ poppler }) => poppler)].map(mean);
  return `| ${key} | ${scores.length} | ${means.map((value) => value.toFixed(4)).join(' | ')} |`;
}

/** Text of a PDF before heads and feet are dropped. */
function wholeText(pdfium: Pdfium, bytes: Uint8Array): string {
  const opened = PdfFile.open(pdfium, bytes);
  if (opened.kind !== 'open') return '';
  const lines = linesOf(opened.file, null) ?? [];
  opened.file.close();
  return lines.map(textOfLine).join('\n');
}

async function compareFolder(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.pdf') && statSync(join(folder, name)).size < 800_000,
  );
  const step = Math.max(1, Math.floor(names.length / Number(values.files)));
  const tally = new PopplerTally(values.verbose);
  for (const name of names.sort().filter((_, at) => at % step === 0)) {
    const path = join(folder, name);
    const text = output('pdftotext', ['-raw', '-enc', 'UTF-8', path, '-']);
    tally.add(name, await read(readFileSync(path)), {
      text: text === null || !isMostlyRightToLeft(text) ? text : output('pdftotext', ['-enc', 'UTF-8', path, '-']),
      info: output('pdfinfo', ['-enc', 'UTF-8', path]) ?? '',
      urls: output('pdfinfo', ['-url', path]) ?? '',
    });
  }
  console.log(tally.report());
}

function isMostlyRightToLeft(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return 2 * (text.match(/[\p{Script=Hebrew}\p{Script=Arabic}]/gu)?.length ?? 0) > letters;
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
