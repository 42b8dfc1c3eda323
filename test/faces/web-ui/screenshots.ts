/**
 * Pictures of every screen, light and dark, on three widths, for those who change the page: look at each. The crawls are made for it.
 *
 *   npm run screenshots [-- --out screenshots] [--only overview] [--docs]
 *
 * `--docs` writes the pictures of the documents instead, to docs/images.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { SCREENS, START_PATH } from '../../../dist/faces/web-ui/screens.js';
import { HAS_CHROMIUM, launched, PATIENT } from '../../support/chromium.ts';
import { type ShownCrawls, shownCrawls } from './shown-crawls.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    docs: { type: 'boolean', default: false },
  },
});
/** A phone, a window, and the widest that the style sheet is made for. */
const WIDTHS = [400, 1200, 2000] as const;
const COLOURS = ['light', 'dark'] as const;
const IMAGES = 'docs/images';

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Text of a button whose work is shown when it is done. */
  readonly press?: string;
}

interface Subject {
  readonly name: string;
  readonly page: OpenPage;
  readonly shots: readonly Shot[];
}

/** Pictures of the documents: the upper part of a screen. */
const OF_DOCS: readonly (Shot & { readonly height: number })[] = [
  { name: 'overview', path: '/', height: 760 },
  { name: 'label', path: '/label?mode=teach', height: 640 },
];

const nameOf = (path: string) => (path === '/' ? 'overview' : path.slice(1).replaceAll('/', '-'));
const whyOf = (url: string): Shot => ({ name: 'why', path: `/why?url=${encodeURIComponent(url)}` });
const ALL: readonly Shot[] = SCREENS.map(({ path }) => ({ name: nameOf(path), path }));

const START: Shot = { name: 'start', path: START_PATH };

/** A run as the page of a crawl that runs shows it. */
function runInHand(isPaused: boolean): InProcessRun {
  const run = new InProcessRun({ maxPages: 12_000, endsAt: Date.now() + 8_000_000, stop: () => undefined });
  run.opened({ counts: () => ({ visited: 0 }) as never, unpark: () => [], acted: () => undefined, addSeeds: () => undefined });
  if (isPaused) run.pause();
  return run;
}

async function subjectsOf({ plain, beside, odd, empty, begun, trained, oddPage, plainPage }: ShownCrawls): Promise<Subject[]> {
  const page = (dir: string, run: InProcessRun | null, others: string[] = []) => openPage({ dir, address: '0', run, others });
  const measure = { name: 'measure', path: '/label?mode=measure' };
  const work = [
    { name: 'topics-found', path: '/topics', press: 'Find subtopics' },
    { name: 'seeds-found', path: '/seeds', press: 'Search for seeds' },
    { name: 'corpus-counted', path: '/corpus', press: 'Count the pages of a harvest' },
  ];
  const pages = [
    ...ALL,
    whyOf(plainPage),
    { name: 'why-asked', path: '/why' },
    { name: 'pages-none', path: '/pages?text=nothing-has-it' },
    measure,
    ...work,
  ];
  return [
    { name: 'plain', page: await page(plain, null, [beside]), shots: pages },
    { name: 'running', page: await page(beside, runInHand(false)), shots: ALL.filter(({ path }) => path === '/') },
    {
      name: 'odd',
      page: await page(odd, runInHand(true), [empty]),
      shots: [...ALL.filter(({ path }) => path !== '/label'), whyOf(oddPage), ...work],
    },
    { name: 'empty', page: await page(empty, null), shots: ALL },
    { name: 'begun', page: await page(begun, null), shots: [START] },
    { name: 'trained', page: await page(trained, null), shots: [START] },
  ];
}

async function takeAll(browser: Browser, subject: Subject): Promise<void> {
  for (const colorScheme of COLOURS)
    for (const width of WIDTHS) {
      const context = await browser.newContext({ ...PATIENT, colorScheme, viewport: { width, height: 900 } });
      const tab = await context.newPage();
      await tab.goto(subject.page.url);
      for (const shot of subject.shots.filter(({ name }) => name.includes(values.only))) {
        await shown(tab, subject.page, shot);
        await tab.screenshot({ path: join(values.out, `${subject.name}-${shot.name}-${width}-${colorScheme}.png`), fullPage: true });
        const wide = await tab.evaluate<number>('document.documentElement.scrollWidth');
        if (wide > width) console.log(`${subject.name} ${shot.name}: ${wide} px wide in a window of ${width}`);
      }
      await context.close();
    }
}

/** Opens a screen; work that it can do is done once. */
async function shown(tab: Page, page: OpenPage, { path, press }: Shot): Promise<void> {
  const url = `${new URL(page.url).origin}${path}`;
  await tab.goto(url);
  const button = press === undefined ? null : tab.getByRole('button', { name: press, exact: true });
  if (button === null || (await button.count()) === 0) return;
  await button.click();
  do await tab.goto(url);
  while ((await tab.locator('form[action$="/stop"]').count()) > 0);
}

async function takeForDocs(browser: Browser, { page }: Subject): Promise<void> {
  const tab = await browser.newPage({ ...PATIENT, colorScheme: 'light', viewport: { width: 1200, height: 900 } });
  await tab.goto(page.url);
  mkdirSync(IMAGES, { recursive: true });
  for (const shot of OF_DOCS) {
    await shown(tab, page, shot);
    const path = join(IMAGES, `page-${shot.name}.png`);
    await tab.screenshot({ path, clip: { x: 0, y: 0, width: 1200, height: shot.height } });
    console.log(`${path}: ${Math.ceil(statSync(path).size / 1000)} KB`);
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-screenshots-'));
  const browser = await launched();
  try {
    const subjects = await subjectsOf(await shownCrawls(folder));
    const [plain] = subjects;
    if (values.docs && plain !== undefined) await takeForDocs(browser, plain);
    else {
      mkdirSync(values.out, { recursive: true });
      for (const subject of subjects) await takeAll(browser, subject);
      console.log(`Pictures of the screens are in ${values.out}. Look at each.`);
    }
    for (const { page } of subjects) await page.close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (HAS_CHROMIUM) await main();
