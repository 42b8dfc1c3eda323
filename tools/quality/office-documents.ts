/**
 * EPUB, Word and OpenDocument files, and descriptions of services and feeds, as Forager reads them.
 *
 *   npm run check -- documents-office [--files 50] [--mutated 2000] [--only epub,docx]
 *
 * Makes `--files` files of each kind out of generated Markdown in eleven scripts with Debian's pandoc, and compares text (F1 of words), headings with their
 * levels, links and notes with the source. Without pandoc this part is skipped. Then it reads `--mutated` damaged files of each kind, and a table of bombs,
 * encrypted, truncated and misnamed files: each has a typed outcome within 10 s. Exit code 1 if anything does not hold.
 */
import { parseArgs } from 'node:util';
import type { Ms } from '../../src/base/core/types.ts';
import type { DocumentKind, DocumentReading } from '../../src/reading/documents/document-kind.ts';
import { DOCUMENT_KINDS, documentKindOf } from '../../src/reading/documents/document-kinds.ts';
import { hostileDocuments } from './office/hostile-documents.ts';
import { mutated } from './office/mutated-documents.ts';
import { type DocumentScore, hasPandoc, pandocFiles, scoreOf } from './office/pandoc-documents.ts';
import { SAMPLES } from './office/typed-samples.ts';

const MAX_MS: Ms = 10_000;
const LEAST_F1 = 0.99;
const OFFICE = ['epub', 'docx', 'odt'];

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '50' },
    mutated: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
});
const wanted = values.only === '' ? null : new Set(values.only.split(','));
const kinds = DOCUMENT_KINDS.filter(({ name }) => name !== 'pdf' && (wanted === null || wanted.has(name)));
const faults: string[] = [];
const samples = new Map<string, Uint8Array[]>(
  Object.entries(SAMPLES).map(([name, texts]) => [name, texts.map((text) => Buffer.from(text))]),
);

if (hasPandoc()) await comparePandoc();
else console.log('pandoc is not installed (apt-get install pandoc): no comparison with sources, and no damage to files that pandoc makes');
await readMutated();
await readHostile();
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function comparePandoc(): Promise<void> {
  console.log('| kind | files | least F1 | mean F1 | headings | links | notes |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const kind of kinds.filter(({ name }) => OFFICE.includes(name))) {
    const files = pandocFiles(kind.name, Number(values.files));
    samples.set(
      kind.name,
      files.slice(0, 11).map(({ file }) => file),
    );
    const scores: DocumentScore[] = [];
    for (const [i, { file, source }] of files.entries()) {
      const score = await scoreOf(kind, file, source);
      scores.push(score);
      if (!isRight(score)) faults.push(`${kind.name} ${i}: ${JSON.stringify(score)}`);
    }
    printScores(kind.name, scores);
  }
}

function isRight({ f1, headings, links, notes }: DocumentScore): boolean {
  return f1 >= LEAST_F1 && [headings, links, notes].every(([found, all]) => found === all);
}

function printScores(kind: string, scores: readonly DocumentScore[]): void {
  const f1s = scores.map(({ f1 }) => f1);
  const sum = (of: 'headings' | 'links' | 'notes') =>
    `${total(scores.map((score) => score[of][0]))}/${total(scores.map((score) => score[of][1]))}`;
  const figures = [Math.min(...f1s).toFixed(4), (total(f1s) / f1s.length).toFixed(4), sum('headings'), sum('links'), sum('notes')];
  console.log(`| ${kind} | ${scores.length} | ${figures.join(' | ')} |`);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

async function readMutated(): Promise<void> {
  console.log('\n| kind | damaged | document | refused | failed | slowest ms |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const kind of kinds) {
    const files = samples.get(kind.name) ?? [];
    if (files.length === 0) continue;
    const outcomes = { document: 0, refused: 0, failed: 0 };
    let slowest: Ms = 0;
    for (let i = 0; i < Number(values.mutated); i += 1) {
      const { reading, ms } = await timed(kind, mutated(files[i % files.length] ?? new Uint8Array(), i));
      outcomes[reading.kind] += 1;
      slowest = Math.max(slowest, ms);
      if (ms > MAX_MS) faults.push(`${kind.name}, damage ${i}: ${ms} ms`);
    }
    console.log(`| ${kind.name} | ${values.mutated} | ${outcomes.document} | ${outcomes.refused} | ${outcomes.failed} | ${slowest} |`);
  }
}

async function timed(kind: DocumentKind, bytes: Uint8Array): Promise<{ readonly reading: DocumentReading; readonly ms: Ms }> {
  const start = performance.now();
  kind.looksLike(bytes);
  const reading = await (await kind.reader()).read(bytes, 'https://documents.example/a');
  return { reading, ms: Math.round(performance.now() - start) };
}

async function readHostile(): Promise<void> {
  console.log('\n| document | kind | outcome | ms |\n| --- | --- | --- | ---: |');
  for (const { name, bytes, mime, path, kind: expected, outcomes } of hostileDocuments()) {
    const kind = documentKindOf(bytes, mime, path);
    if ((kind?.name ?? null) !== expected && !(expected === null && kind !== null))
      faults.push(`${name}: is ${kind?.name ?? 'no document'}, not ${expected}`);
    if (kind === null) {
      console.log(`| ${name} | – | – | – |`);
      continue;
    }
    const { reading, ms } = await timed(kind, bytes);
    const outcome = reading.kind === 'document' ? reading.kind : `${reading.kind}: ${reading.reason}`;
    if (!outcomes.includes(outcome) || ms > MAX_MS) faults.push(`${name}: ${outcome} in ${ms} ms`);
    console.log(`| ${name} | ${kind.name} | ${outcome} | ${ms} |`);
  }
}
