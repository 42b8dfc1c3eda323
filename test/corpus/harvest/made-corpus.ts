/** Corpora of made-up pages, for tests and benches of formats: each page follows from its number. */

import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../../../src/base/core/clock.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import type { CrawlHarvestOptions } from '../../../src/corpus/harvest/harvest-writer.ts';
import { storedRecordLine } from '../../../src/corpus/records/records.ts';
import type { CrawlFacts } from '../../../src/corpus/select/crawl-facts.ts';
import { T0, urlOf } from '../records/samples.ts';
import { type Over, CRAWL as WRITTEN, writing } from './written-crawl.ts';

export const CRAWL: CrawlFacts = {
  ...WRITTEN,
  seeds: ['http://orchard.example/', 'http://grafting.example/start?x=1&y=2'],
  seedsWithoutPage: [{ url: 'http://grafting.example/start?x=1&y=2', state: 'failed', reason: 'dns' }],
  runs: [
    {
      startedAt: '2024-05-06T07:00:00.000Z',
      endedAt: '2024-05-06T09:00:00.000Z',
      maxPages: 5000,
      maxTimeMs: null,
      stopReason: 'page-budget',
    },
  ],
  userAgent: 'forager-test (+mailto:crawler@orchard.example)',
};

const WORDS = 'scion rootstock graft apple pear quince orchard pruning bud bark cambium vigour dwarf canker scab pollen'.split(' ');
/** What pages of the web have, and formats may trip over. */
const TITLES = [
  '=HYPERLINK("http://evil.example/","click")',
  '+1 for "quotes", commas\r\nand lines',
  '-2 apples',
  '@SUM(A1:A9)',
  '\ttab first',
  "'=already quoted",
  '',
  'null',
  'Äpfel 🍏 und Birnen \u{1F350} — “Obst”',
  '苹果树的嫁接',
  'التطعيم',
  'a | b \\ c <d> `e` [f] {g} %h $i #j &k _l ^m ~n',
];

function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function words(page: number, count: number): string {
  return Array.from({ length: count }, (_, i) => WORDS[mixed(page, i) % WORDS.length]).join(' ');
}

/** @param count words of its main text */
export function madeRecord(i: number, count = 60): CorpusRecord {
  const has = (part: number) => mixed(i, part) % 3 !== 0;
  return {
    id: `urn:uuid:00000000-0000-4000-8000-${String(i).padStart(12, '0')}` as CorpusRecord['id'],
    url: urlOf(`http://h${i % 97}.example/pages/${i}?q=${encodeURIComponent(words(i, 1))}`),
    fetchedAt: isoTime(T0 + i * 1007),
    title: TITLES[i % TITLES.length] as string,
    text: i % 50 === 7 ? '' : `${TITLES[(i + 3) % TITLES.length]}\n\n${words(i, count)}. ${i}`,
    ...(has(1) && { otherText: `Menu, ${words(i + 1, 5)}` }),
    lang: ['en', 'de', null, 'zh-TW', 'en-GB'][i % 5] as string | null,
    relevance: 0.5 + (mixed(i, 2) % 5000) / 10001,
    threshold: 0.5,
    modelId: CRAWL.modelId,
    depth: i % 9,
    referrer: has(3) ? urlOf(`http://h${(i + 1) % 97}.example/`) : null,
    anchorText: words(i, 3),
    payloadSha256: String(i).padStart(64, 'e'),
    metadata: {
      ...NO_METADATA,
      description: has(4) ? words(i, 8) : null,
      authors: i % 4 === 0 ? [] : [`Mary "Molly" O’Neill, ${i}`, '陈'].slice(0, 1 + (i % 2)),
      siteName: has(5) ? 'Orchard & Sons' : null,
      published: ([null, '2021', '2021-03', '2021-03-14', '2021-03-14T09:30:00+01:00'] as const)[mixed(i, 6) % 5] as string | null,
      licences: has(7) ? [] : [urlOf('https://creativecommons.org/licenses/by/4.0/')],
      alternates: has(8) ? [] : [{ lang: 'de', url: urlOf(`http://h${i % 97}.example/de/${i}`) }],
      robots: has(9) ? [] : ['noarchive', 'max-snippet:50'],
    },
    fields: has(10) ? { price: `${i}.50 €`, tags: ['=cmd()', 'b "c"'].slice(0, i % 3) } : {},
    ...(has(11) ? {} : { reservation: { reserved: false, by: 'meta', policy: null } }),
  };
}

/** Writes the folder of a crawl's corpus, without WARC files. @param recordOf the record of a number */
export async function writeRecords(folder: string, count: number, recordOf: (i: number) => CorpusRecord): Promise<string> {
  const dir = join(folder, 'corpus');
  mkdirSync(dir, { recursive: true });
  const file = createWriteStream(join(dir, 'records.jsonl'));
  for (let i = 0; i < count; i++) if (!file.write(storedRecordLine(recordOf(i)))) await once(file, 'drain');
  file.end();
  await once(file, 'close');
  return dir;
}

export function harvestOptions(corpusDir: string, outDir: string, over: Over = {}): CrawlHarvestOptions {
  return { corpusDir, committed: null, ...writing(outDir, { crawl: CRAWL, ...over }) };
}
