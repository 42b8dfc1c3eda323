/**
 * Walls, measured two ways. Precision and recall of "needs JavaScript", "is a login" and "is a consent wall" on pages with labels (datasets/walls): made
 * up, and real if they are on this machine. Then the false alarms among real pages with main text, each a mistake unless its bytes have no text.
 *
 *   npm run check -- walls [--extraction ../shared/data/extraction] [--web .cache/debian-web]
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readGold } from '../../datasets/extractor/gold.ts';
import { HELD_PAGES } from '../../datasets/walls/held-pages.ts';
import type { LabelledPage, WallHalf, WallLabel } from '../../datasets/walls/labelled-page.ts';
import { realPages } from '../../datasets/walls/real-pages.ts';
import { SECOND_PAGES } from '../../datasets/walls/second-pages.ts';
import { TUNED_PAGES } from '../../datasets/walls/tuned-pages.ts';
import { PAGE_WALLS } from '../../src/base/core/types.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { wilson } from '../../src/reading/topic/wilson.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

const { values } = parseArgs({
  options: {
    extraction: { type: 'string', default: '../shared/data/extraction' },
    web: { type: 'string', default: '.cache/debian-web' },
  },
});
const extractor = pageExtractor({ productToken: 'forager' });
const anywhere = canonicalize('https://www.example.com/page');

function read(url: string, html: string) {
  const address = canonicalize(url) ?? anywhere;
  if (address === null) throw new Error('the address of pages without one is none');
  return extractor.extract({ url: address, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) });
}

interface Answer {
  readonly page: LabelledPage;
  readonly found: WallLabel;
  /** Would `--render auto` render it at once? */
  readonly isShell: boolean;
}

const real = realPages(values);
if (real.missing > 0)
  console.log(`${real.missing} of ${real.missing + real.pages.length} real pages are not on this machine, and do not count`);
const answers = [...TUNED_PAGES, ...SECOND_PAGES, ...HELD_PAGES, ...real.pages].map((page): Answer => {
  const { wall = 'page', shell = false } = read(page.url, page.html);
  return { page, found: wall, isShell: shell };
});
tell('held', 'no rule was tuned on them');
tell('tuned', 'the rules were tuned on them');
tellFalseAlarms();

function tell(half: WallHalf, what: string): void {
  const ours = answers.filter(({ page }) => page.half === half);
  const ofReal = ours.filter(({ page }) => real.pages.includes(page)).length;
  console.log(`\n${ours.length} pages, ${ofReal} of them real; ${what}`);
  for (const wall of PAGE_WALLS) {
    const [said, are] = [ours.filter(({ found }) => found === wall), ours.filter(({ page }) => page.label === wall)];
    const right = said.filter(({ page }) => page.label === wall).length;
    console.log(`  ${wall.padEnd(16)}  precision ${shareText(right, said.length)}  recall ${shareText(right, are.length)}`);
  }
  const shells = (label: WallLabel) => {
    const those = ours.filter(({ page }) => page.label === label);
    return shareText(those.filter(({ isShell }) => isShell).length, those.length);
  };
  console.log(`  --render auto renders at once, of those that need JavaScript: ${shells('needs-javascript')}`);
  console.log(`  --render auto renders at once, of pages of their own: ${shells('page')}`);
  for (const { page, found } of ours) if (found !== page.label) console.log(`    ${page.label}, found as ${found}: ${page.name}`);
}

function shareText(part: number, all: number): string {
  if (all === 0) return 'none';
  const { low, high } = wilson(part, all);
  return `${(part / all).toFixed(3)} (${part} of ${all}, 95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`;
}

function tellFalseAlarms(): void {
  if (!existsSync(values.extraction)) return;
  let [pages, walls] = [0, 0];
  for (const { id, file, url, html, text } of readGold(values.extraction)) {
    pages += 1;
    const found = read(url, html);
    if (found.wall === undefined) continue;
    walls += 1;
    console.log(`\n${found.wall}  ${file} ${id}  ${url}`);
    console.log(`    by a person: ${text.length} characters; in the bytes: ${found.otherText.length}  ${found.otherText.slice(0, 100)}`);
  }
  console.log(`\n${walls} of ${pages} pages with main text are called walls`);
}
