/** A crawl that a browser renders, as an archive: what it keeps is enough to render each page again, and to read it without a browser. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { train } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { shellWeb } from '../../../datasets/shell-web/shell-web.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import type { CrawlRecord } from '../../../src/base/core/types.ts';
import { HAS_CHROMIUM } from '../../support/chromium.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines } from './forager.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-rendered-'));
const path = (...parts: string[]) => join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOPIC = 'topic-1';
/** All pages that are reached, each rendered. */
const HOW = ['--topic', path('model'), '--render', 'always', '--sitemaps', 'never', '--warm-up', '0'];
const SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const recordsOf = (name: string) => jsonLines<CrawlRecord>(readFileSync(path(name, 'corpus/records.jsonl'), 'utf8'));
const textsOf = (pages: readonly Pick<CrawlRecord, 'url' | 'text'>[]) => new Map(pages.map(({ url, text }) => [url, text] as const));

(HAS_CHROMIUM ? wholeTest : test.skip)(
  'rendered twice from its archive, each page has the same text as in the crawl; repair and extract need no browser',
  async () => {
    const web = shellWeb({ seed: 3, pages: 160 });
    mkdirSync(path('examples'));
    for (const [i, html] of web.examples(TOPIC, 30).entries()) writeFileSync(path('examples', `${i}.html`), html);
    await train({ examples: [path('examples')], out: path('model') });
    writeFileSync(path('seeds.txt'), web.seeds().join('\n'));
    const server = await startWebProxy(web.source, { robots: web.robots });
    await done(
      'crawl',
      path('crawl'),
      '--seeds',
      path('seeds.txt'),
      '--proxy',
      server.proxy,
      '--contact',
      'a@example.org',
      ...HOW,
      ...SANDBOX,
    );
    await server.close();

    const kept = recordsOf('crawl');
    const rendered = kept.filter((record) => record.rendered);
    expect(rendered.length).toBeGreaterThan(20);
    await done('verify', path('crawl'));

    writeFileSync(path('kept.txt'), kept.map(({ url }) => url).join('\n'));
    for (const name of ['again', 'once more']) {
      await done('crawl', path(name), '--seeds', path('kept.txt'), '--archive', path('crawl/corpus'), ...HOW, ...SANDBOX);
      const again = textsOf(recordsOf(name));
      for (const { url, text } of rendered) expect(again.get(url), url).toBe(text);
    }

    cpSync(path('crawl'), path('repaired'), { recursive: true });
    rmSync(path('repaired/corpus/records.jsonl'));
    await done('repair', path('repaired'));
    const facts = ({ id, url, text, payloadSha256, rendered: cost, rendering }: CrawlRecord) => [
      id,
      url,
      text,
      payloadSha256,
      cost,
      rendering,
    ];
    expect(recordsOf('repaired').map(facts)).toEqual(kept.map(facts));

    await done('harvest', path('crawl'), '--out', path('corpus'), '--format', 'wacz', '--dedupe', 'none', '--reserved', 'include');
    const extracted = textsOf(jsonLines<CrawlRecord>(await done('extract', path('corpus/corpus.wacz'))));
    expect([...extracted].sort()).toEqual([...textsOf(kept)].sort());
  },
  240_000,
);
