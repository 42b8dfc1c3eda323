/**
 * Caches in front of a seen set: the share of a crawl's URL occurrences that each policy has at hand, by size, on the links of a breadth-first crawl of hosts
 * of the Debian web that generated portals join. Does the order of Broder, Najork & Wiener 2003 ("Efficient URL caching for world wide web crawling") hold:
 * MIN ≥ LRU ≈ CLOCK ≥ RANDOM, and STATIC far behind?
 *
 *   npm run bench -- seen [--web DIR] [--cache DIR] [--most-pages 2000] [--svg FILE]
 *
 * Needs the whole Debian web: npm run data -- web-build. Freezes what it needs into --cache at first, some minutes.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readManifest } from '../../datasets/debian-web/manifest.ts';
import { UsageError } from '../../src/base/core/errors.ts';
import type { LinkScorer } from '../../src/base/core/parts/scoring.ts';
import type { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import { linkScorer } from '../../src/reading/links/strategies.ts';
import { Guide } from '../../src/study/eval/guide.ts';
import { simulate } from '../../src/study/eval/simulate.ts';
import { foldersOf, openWeb } from './focus/webs.ts';
import { POLICIES, type Stream } from './seen-cache/policies.ts';
import { linesSvg } from './seen-cache/svg.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    cache: { type: 'string', default: '.cache/frozen' },
    'most-pages': { type: 'string', default: '2000' },
    svg: { type: 'string' },
  },
});
/** As in the study, and where the issue of caches of crawlers is usually settled: 50,000 entries. */
const SIZES = [...Array.from({ length: 13 }, (_, i) => 2 ** (i + 6)), 50_000].sort((a, b) => a - b);
const LEAST_OCCURRENCES = 1_000_000;
const STARTS = 20;

const most = Number(values['most-pages']);
const web = await openWeb({ kind: 'portals', name: `up-to-${most}`, hosts: hostsUpTo(most), seed: 1 }, foldersOf(values.web), values.cache);
const stream = await occurrences(web);
web.close();
if (stream.length < LEAST_OCCURRENCES)
  throw new UsageError(`the crawl saw ${stream.length} links, fewer than ${LEAST_OCCURRENCES}: give a greater --most-pages`);

const rates = new Map([...POLICIES].map(([name, policy]) => [name, SIZES.map((size) => policy(stream, size) / stream.length)]));
console.log(
  `${stream.length.toLocaleString('en-US')} occurrences of ${new Set(stream).size.toLocaleString('en-US')} URLs; share at hand, by entries of the cache.\n`,
);
console.log(`| ${['entries', ...rates.keys()].join(' | ')} |\n|${' ---: |'.repeat(rates.size + 1)}`);
for (const [i, size] of SIZES.entries())
  console.log(`| ${[size.toLocaleString('en-US'), ...[...rates.values()].map((of) => (of[i] ?? 0).toFixed(3))].join(' | ')} |`);
if (values.svg !== undefined) writeFileSync(values.svg, linesSvg('Share of occurrences at hand', 'entries of the cache', SIZES, rates));

function hostsUpTo(pages: number): string[] {
  const count = new Map<string, number>();
  for (const row of readManifest(values.web).rows) count.set(row.host, (count.get(row.host) ?? 0) + row.pages);
  return [...count].filter(([, own]) => own <= pages).map(([host]) => host);
}

/** Every link of every page of a breadth-first crawl from some portals, each of a page once, as numbers of URLs. */
async function occurrences(of: FrozenWeb): Promise<Stream> {
  const numbers = new Map<string, number>();
  const seen: number[] = [];
  const scorer: LinkScorer = {
    ...linkScorer('bfs', { threshold: 0, seed: 0 }),
    observer: {
      page: (_page, _relevance, urls) => {
        for (const url of urls) {
          const number = numbers.get(url) ?? numbers.size;
          numbers.set(url, number);
          seen.push(number);
        }
      },
      redirect: () => undefined,
    },
  };
  const model = { id: 'none', threshold: 0, judge: () => 0, judgeText: () => 0 };
  const starts = of.urls.filter((url) => /^http:\/\/portal-\d+\.example\/$/.test(url)).slice(0, STARTS);
  await simulate({
    web: of,
    guide: new Guide(of, model),
    scorer,
    starts,
    budget: Number.POSITIVE_INFINITY,
    explore: null,
    tunnel: Number.POSITIVE_INFINITY,
  });
  return Int32Array.from(seen);
}
