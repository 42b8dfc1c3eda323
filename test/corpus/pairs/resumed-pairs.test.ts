/** Work that continues takes nothing from pages, rights, relevances or damage that are no longer there; and work is kept until it is published. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CanonicalUrl, CorpusRecord } from '../../../src/base/core/types.ts';
import { withOutput } from '../../../src/base/disk/output.ts';
import { PAIRS_OUTPUT } from '../../../src/corpus/pairs/pairs-output.ts';
import { PairsWork } from '../../../src/corpus/pairs/pairs-work.ts';
import { type PairsReport, writePairs } from '../../../src/corpus/pairs/pairs-writer.ts';
import { reservationLine } from '../../../src/corpus/records/reservation-files.ts';
import { CrawlSource } from '../../../src/corpus/select/crawl-source.ts';
import { bilingualPages } from '../../support/bilingual-pages.ts';
import { CRAWL, writtenCrawl } from '../harvest/written-crawl.ts';
import { T0 } from '../records/samples.ts';
import { recordOfPage } from './bilingual-corpus.ts';

const root = mkdtempSync(join(tmpdir(), 'resumed-pairs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const pages = [...bilingualPages({ pagePairs: 8, sentences: 12 })].map((page) => recordOfPage(page));
const RESERVED = {
  url: 'http://valley.example/.well-known/tdmrep.json' as CanonicalUrl,
  fetchedAt: '2026-01-01T00:00:00.000Z',
  to: null,
  rules: [{ location: '/', reserved: true, policy: null }],
};

interface Trial {
  /** Stage whose first step ends the work. */
  readonly stopAt?: string;
  readonly relevance?: number;
  readonly damaged?: string[];
  readonly now?: number;
  /** Receives each stage. */
  readonly onStage?: (stage: string) => void;
}

class Stopped extends Error {}

const nothing = () => undefined;

async function pairsOf(
  corpusDir: string,
  out: string,
  { stopAt, relevance, damaged, now = T0, onStage = nothing }: Trial = {},
): Promise<PairsReport> {
  return withOutput(out, PAIRS_OUTPUT, {}, async (output) => {
    const present = (record: CorpusRecord) => ({ ...record, relevance: relevance ?? record.relevance });
    const source = await CrawlSource.open({ corpusDir, committed: null, present });
    return writePairs({
      output,
      source,
      langs: ['en', 'fr'],
      crawl: CRAWL,
      minRelevance: 0.5,
      formats: ['jsonl'],
      minScore: 0.5,
      reserved: 'omit',
      obey: ['tdm'],
      now,
      ...(damaged && { onDamaged: (message: string) => damaged.push(message) }),
      progress: ({ stage }) => {
        onStage(stage);
        if (stage === stopAt) throw new Stopped();
      },
    });
  });
}

/** A corpus, and the place of an output beside whose work stopped when all page pairs were found. */
async function stopped(name: string, trial: Trial = {}): Promise<{ readonly corpus: string; readonly out: string }> {
  const { dir } = await writtenCrawl(join(root, name), pages);
  const out = join(root, `${name}-out`, 'pairs');
  await expect(pairsOf(dir, out, { stopAt: 'write', ...trial })).rejects.toThrow(Stopped);
  return { corpus: dir, out };
}

function contentOf(out: string): string[] {
  return readdirSync(out).map((name) => `${name}: ${readFileSync(join(out, name), 'utf8')}`);
}

function damage(corpus: string): void {
  const path = join(corpus, 'records.jsonl');
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('the ')] = 0x78;
  writeFileSync(path, bytes);
}

test('work on the same pages continues', async () => {
  const { corpus, out } = await stopped('same');
  const stages = new Set<string>();
  const { card } = await pairsOf(corpus, out, { now: T0 + 1000, onStage: (stage) => stages.add(stage) });
  expect([...stages]).toEqual(['pages', 'compare', 'write']);
  expect(card.at).toBe(new Date(T0).toISOString());
});

test('rights that a host reserved meanwhile are obeyed', async () => {
  const { corpus, out } = await stopped('reserved');
  writeFileSync(join(corpus, 'reservations.jsonl'), reservationLine(RESERVED, null));
  const { card } = await pairsOf(corpus, out, { now: T0 + 1000 });
  expect(card.pages).toMatchObject({ paired: 0, without: { rights: 16 } });
  expect(card.at).toBe(new Date(T0 + 1000).toISOString());
});

test('relevances that changed meanwhile count, also within a threshold that stays', async () => {
  const { corpus, out } = await stopped('relevance', { relevance: 0.9 });
  expect((await pairsOf(corpus, out, { relevance: 0.1 })).card.pages.without).toEqual({ relevance: 16 });
});

test('damage is told again, stands on the card, and ends work that does not skip it', async () => {
  const damaged: string[] = [];
  const { corpus, out } = await stopped('damage');
  damage(corpus);
  await expect(pairsOf(corpus, out)).rejects.toThrow(/damaged|checksum/);
  await expect(pairsOf(corpus, out, { stopAt: 'write', damaged })).rejects.toThrow(Stopped);
  expect(damaged).toHaveLength(1);
  await expect(pairsOf(corpus, out)).rejects.toThrow(/damaged|checksum/);
  const { card } = await pairsOf(corpus, out, { damaged });
  expect(damaged).toHaveLength(2);
  expect(card.pages).toMatchObject({ read: 15, damaged: 1 });
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('| places of damage that were skipped | 1 |');
});

test('work that cannot be published is kept, and continues', async () => {
  const { dir } = await writtenCrawl(join(root, 'unpublished'), pages);
  const out = join(root, 'unpublished-out', 'pairs');
  const inTheWay = () => {
    if (!existsSync(out)) mkdirSync(out);
  };
  await expect(pairsOf(dir, out, { onStage: inTheWay })).rejects.toThrow('something else wrote there meanwhile');
  rmSync(out, { recursive: true });
  const stages = new Set<string>();
  await pairsOf(dir, out, { onStage: (stage) => stages.add(stage) });
  expect([...stages]).toEqual(['pages', 'compare', 'write']);
  expect(readdirSync(join(root, 'unpublished-out'))).toEqual(['pairs']);
});

test('work that was published and not ended goes, and no other', async () => {
  const { corpus, out } = await stopped('published');
  const beside = join(root, 'published-out');
  PairsWork.endPublished(out);
  expect(readdirSync(beside)).toEqual(['.pairs.forager-pairs']);
  const work = PairsWork.open(join(beside, 'other'), 'fingerprint', T0);
  await pairsOf(corpus, out);
  const before = contentOf(out);
  work.finish(readFileSync(join(out, 'pairs-card.json')));
  PairsWork.endPublished(join(beside, 'other'));
  expect(readdirSync(beside).sort()).toEqual(['.other.forager-pairs', 'pairs']);
  mkdirSync(join(beside, 'other'));
  writeFileSync(join(beside, 'other', 'pairs-card.json'), readFileSync(join(out, 'pairs-card.json')));
  PairsWork.endPublished(join(beside, 'other'));
  expect(readdirSync(beside).sort()).toEqual(['other', 'pairs']);
  expect(contentOf(out)).toEqual(before);
});
