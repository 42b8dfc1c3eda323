/**
 * What it costs that waiting links get new priorities as the apprentice learns, with a million of them waiting in LMDB: visits with 40 new
 * links each, by the schedule of crawling/crawl/rescore-waiting.ts, as a crawl has it that has visited 25,000 pages. Beside it, from the same run, what a
 * page of a crawl costs besides: reading and judging it, scoring its links, and the frontier's own work.
 *
 *   npm run bench -- rescore [--queued 1000000] [--visits 5000] [--memory]
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import { nextRescoring } from '../../src/base/core/rescoring-schedule.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import {
  type CanonicalUrl,
  type Discovery,
  type Fate,
  type HostKey,
  type LinkText,
  PAGE,
  type Referrer,
} from '../../src/base/core/types.ts';
import { linksToRescore } from '../../src/crawling/crawl/rescore-waiting.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../src/crawling/frontier/frontier.ts';
import { pageReading } from '../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../src/crawling/reader/read-page.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { Apprentice } from '../../src/reading/links/apprentice.ts';
import { trainTopic } from '../../src/reading/topic/train-topic.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { rescored } from '../../test/support/rescored.ts';

const { values } = parseArgs({
  options: {
    queued: { type: 'string', default: '1000000' },
    visits: { type: 'string', default: '5000' },
    memory: { type: 'boolean', default: false },
  },
});
const LINKS = 40;
const HOSTS = 1000;
const WORDS = 'peat moss bog fen mire sphagnum water table carbon archive field guide page next index report history of the and in'.split(
  ' ',
);
const QUEUED = Number(values.queued);
const VISITS = Number(values.visits);
/** Pages that bring a million links. */
const LESSONS_BEFORE = QUEUED / LINKS;

const rng = seededRng(1);
const folder = mkdtempSync(join(tmpdir(), 'forager-rescore-'));
const options = { clock: { now: () => 0, sleep: async () => undefined }, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
const frontier = values.memory ? openMemoryFrontier(options) : openLmdbFrontier(join(folder, 'frontier'), options);
const scorer = new Apprentice({ threshold: 0.1 });
const spent = { scoring: 0, frontier: 0, rescoring: 0 };
let pages = 0;
try {
  while (frontier.counts().waiting < QUEUED) {
    frontier.add(scored(linksOf(pages++)));
    if (pages % 500 === 0) await frontier.commit({}, Promise.resolve());
  }
  const rescored = await visits();
  const reading = await readingMs();
  const [scoring, own, rescoring] = [spent.scoring, spent.frontier, spent.rescoring].map((ms) => ms / VISITS) as [number, number, number];
  console.log(
    `${QUEUED} links wait on ${HOSTS} hosts (${values.memory ? 'memory' : 'LMDB'}); ${VISITS} visits with ${LINKS} new links each; ${rescored} links scored anew.`,
  );
  console.log('| a visit | ms of processor |\n| --- | ---: |');
  console.log(`| reading and judging the page | ${reading.toFixed(3)} |`);
  console.log(`| scoring its links, learning | ${scoring.toFixed(3)} |`);
  console.log(`| frontier: lease, settle, commit | ${own.toFixed(3)} |`);
  console.log(`| scoring waiting links anew | ${rescoring.toFixed(3)} |`);
  console.log(
    `Rescoring is ${((100 * rescoring) / (reading + scoring + own + rescoring)).toFixed(1)} % of these; a crawl also fetches and writes.`,
  );
} finally {
  await frontier.close();
  rmSync(folder, { recursive: true, force: true });
}

async function visits(): Promise<number> {
  let due = nextRescoring(LESSONS_BEFORE);
  let done = 0;
  for (let visit = 1; visit <= VISITS; visit++) {
    const next = timed('frontier', () => frontier.next());
    if (next.kind !== 'lease') throw new Error('nothing to lease');
    const unscored = linksOf(pages++);
    const discovered = timed('scoring', () => {
      scorer.learn(next.lease.entry, rng());
      return scored(unscored);
    });
    timed('frontier', () => frontier.settle(next.lease, { kind: 'done', fate: fateOf(), discovered, host: null }));
    const lessons = LESSONS_BEFORE + visit;
    if (lessons >= due) {
      done += timed('rescoring', () => rescored(frontier, scorer, linksToRescore(lessons)));
      due = nextRescoring(lessons);
    }
    if (visit % 100 === 0) await timedAsync('frontier', frontier.commit({}, Promise.resolve()));
  }
  return done;
}

interface Unscored {
  readonly referrer: Referrer;
  readonly links: readonly { readonly url: CanonicalUrl; readonly host: HostKey; readonly text: LinkText }[];
}

function linksOf(page: number): Unscored {
  const url = `http://host-${page % HOSTS}.example/p/${page}.html` as CanonicalUrl;
  const referrer = { url, title: `${word(rng)} ${word(rng)}`, relevance: rng(), depth: 3, offTopicDepth: 0 };
  const links = Array.from({ length: LINKS }, (_, i) => {
    const host = `http://host-${Math.floor(rng() * HOSTS)}.example` as HostKey;
    return { url: `${host}/${word(rng)}/${page}-${i}.html` as CanonicalUrl, host, text: textOf(rng) };
  });
  return { referrer, links };
}

function scored({ referrer, links }: Unscored): Discovery {
  const way = { depth: 4, offTopicDepth: 0 };
  const priorities = scorer.score(links.map(({ url, text }) => ({ url, ...way, edge: { referrer, link: text, learnedFrom: 0 } })));
  const discovered = links.map((link, i) => ({ ...link, priority: priorities[i] ?? 0, refusal: null, task: PAGE }));
  return { referrer, ...way, redirects: 0, learnedFrom: scorer.learnedFrom, links: discovered };
}

function textOf(of: Rng): LinkText {
  const some = (count: number) => Array.from({ length: count }, () => word(of)).join(' ');
  const score = of() ** 4;
  return {
    anchorText: some(4),
    context: some(12),
    imageAlt: '',
    zone: 'content',
    tagPath: 'ul>li>a',
    anchorScore: null,
    contextScore: score,
  };
}

function word(of: Rng): string {
  return WORDS[Math.floor(of() * WORDS.length)] ?? '';
}

function fateOf(): Fate {
  const none = { reason: '', recordId: null, payloadSha256: null, page: null } as const;
  return { ...none, state: 'off-topic', relevance: 0.1, status: 200, fetchedAt: 0, visited: true };
}

function timed<T>(what: keyof typeof spent, work: () => T): T {
  const start = process.cpuUsage();
  const result = work();
  const used = process.cpuUsage(start);
  spent[what] += (used.user + used.system) / 1000;
  return result;
}

async function timedAsync(what: keyof typeof spent, work: Promise<void>): Promise<void> {
  const start = process.cpuUsage();
  await work;
  const used = process.cpuUsage(start);
  spent[what] += (used.user + used.system) / 1000;
}

/** Of a page of the generated web, 6 KB with some 20 links: less than most pages of the web. */
async function readingMs(): Promise<number> {
  const web = generateWeb({ seed: 1, pages: 1000 });
  const extractor = pageExtractor({ productToken: 'forager' });
  const read = (html: string) => extractor.extract({ url: 'http://a.example/' as CanonicalUrl, headers: {}, body: Buffer.from(html) });
  const examples = web.examples('topic-1', 20).map((html, i) => ({ ...read(html), id: String(i), url: null, language: null }));
  const { model } = await trainTopic(examples, { name: 'bench', seed: 1, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench' });
  const reading = await pageReading([model], 'context', { productToken: 'forager' });
  const bodies = web.urls().map((url) => ({ url: url as CanonicalUrl, headers: {}, body: Buffer.from(web.page(url)?.html ?? '') }));
  const round = () => {
    const start = process.cpuUsage();
    for (const page of bodies) readPage(page, reading);
    const used = process.cpuUsage(start);
    return (used.user + used.system) / 1000 / bodies.length;
  };
  return [round(), round(), round()].sort((a, b) => a - b)[1] ?? 0;
}
