/**
 * Topics that are trained on HTML, and the same held-out pages as HTML and printed to PDF by Chromium: average precision of both.
 *
 *   npm run check -- printed-topics --folder DIR [--subjects 4] [--pages 20] [--seed 1]
 *
 * Each folder in DIR with at least twice `--pages` pages of HTML is a subject, such as the manuals of one Debian package, unpacked. The
 * `--subjects` folders with most pages are taken, and `--pages` of each for training and for judging: those of one subject are on topic, those of the
 * others are not. Exit code 1 if the average precision of a subject's PDFs is more than .01 from that of its HTML.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { judgePages, train } from 'forager';
import { seededRng } from '../../src/base/core/rng.ts';
import { averagePrecision, type Scored } from '../../src/reading/topic/evaluate.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    subjects: { type: 'string', default: '4' },
    pages: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const PAGES = Number(values.pages);
const MOST_APART = 0.01;
/** Pages with less are lists of links or frames, and print to almost nothing; larger ones print for minutes. */
const [LEAST_BYTES, MOST_BYTES] = [8000, 150_000];

interface Subject {
  readonly name: string;
  readonly examples: string;
  /** Folders of the same pages. */
  readonly html: string;
  readonly pdf: string;
}

const scratch = mkdtempSync(join(tmpdir(), 'forager-printed-topics-'));
try {
  await main(values.folder ?? '');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main(folder: string): Promise<void> {
  const found = readdirSync(folder)
    .map((name) => ({ name, pages: pagesIn(join(folder, name)) }))
    .filter(({ pages }) => pages.length >= 2 * PAGES)
    .sort((a, b) => b.pages.length - a.pages.length)
    .slice(0, Number(values.subjects));
  const subjects = found.map(({ name, pages }) => printed(name, pages));
  console.log('| subject | on topic | others | HTML | PDF | apart |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const subject of subjects) {
    const out = join(scratch, 'model', subject.name);
    await train({ examples: [subject.examples], out });
    const [html, pdf] = [await precision(out, subject, subjects, 'html'), await precision(out, subject, subjects, 'pdf')];
    const apart = Math.abs(html - pdf);
    const counts = `${PAGES} | ${PAGES * (subjects.length - 1)}`;
    console.log(`| ${subject.name} | ${counts} | ${html.toFixed(4)} | ${pdf.toFixed(4)} | ${apart.toFixed(4)} |`);
    if (apart > MOST_APART) process.exitCode = 1;
  }
}

function pagesIn(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.x?html?$/i.test(name) && !/(?:^|\/)(?:index|genindex|search|py-modindex)[^/]*$/i.test(name))
    .map((name) => join(folder, name))
    .filter((path) => {
      const { size } = statSync(path);
      return size >= LEAST_BYTES && size <= MOST_BYTES;
    })
    .sort();
}

/** Draws the pages of a subject, and prints those to be judged. */
function printed(name: string, pages: readonly string[]): Subject {
  const rng = seededRng(Number(values.seed));
  const drawn = pages
    .map((path) => ({ path, at: rng() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, 2 * PAGES)
    .map(({ path }) => path);
  const [examples, html, pdf] = ['examples', 'html', 'pdf'].map((part) => join(scratch, part, name)) as [string, string, string];
  for (const part of [examples, html, pdf]) mkdirSync(part, { recursive: true });
  drawn.forEach((path, n) => {
    const file = `${n}-${basename(path).replace(/\.\w+$/, '')}`;
    copyFileSync(path, join(n < PAGES ? examples : html, `${file}.html`));
    if (n >= PAGES) print(path, join(pdf, `${file}.pdf`));
  });
  return { name, examples, html, pdf };
}

function print(from: string, to: string): void {
  execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu', `--print-to-pdf=${to}`, from], { stdio: 'ignore' });
}

/** Average precision of a model over the pages of all subjects in one form. */
async function precision(model: string, own: Subject, subjects: readonly Subject[], form: 'html' | 'pdf'): Promise<number> {
  const scored: Scored[] = [];
  for (const subject of subjects)
    for await (const { relevance } of judgePages(model, subject[form])) scored.push({ score: relevance, onTopic: subject === own });
  return averagePrecision(scored);
}
