/** Links as data: rows, anchor texts by target, and PageRank. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { CanonicalUrl, RecordId } from '../../../src/base/core/types.ts';
import { FolderSource } from '../../../src/corpus/harvest/folder-source.ts';
import { writeCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import type { LinkRow } from '../../../src/corpus/select/corpus-links.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { HashedFile } from '../../../src/corpus/select/hashed-file.ts';
import { type InLinkRow, inLinkLines, MAX_ANCHORS } from '../../../src/corpus/select/in-links.ts';
import { pageRank } from '../../../src/corpus/select/page-rank.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir, urlOf } from '../records/samples.ts';
import { withDuckDb } from './duckdb.ts';
import { harvestOf, type WrittenPage, writing, writtenCrawl } from './written-crawl.ts';

/** Deterministic chance: a linear congruential generator (Numerical Recipes). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const at = (i: number) => `http://host-${i % 7}.example/page/${i}`;

/** Pages that link to each other, to pages that were never fetched, and to themselves. */
function web(pages: number, seed: number): WrittenPage[] {
  const draw = chance(seed);
  return Array.from({ length: pages }, (_, i) => {
    const links = Array.from({ length: draw(9) }, () => {
      const to = draw(pages + 20);
      return `<a href="${at(to)}"${draw(4) === 0 ? ' rel="nofollow"' : ''}>words ${draw(3)} of &amp; ${to}</a>`;
    });
    return { at: at(i), html: `<html><body><p>${links.join(' and ')}</p></body></html>`, text: `Page ${i}` };
  });
}

async function linesOf<T>(path: string): Promise<T[]> {
  return (await readFile(path, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

/** Hrefs of a page by parse5's tree, in their order; code of its own. */
function hrefsOf(html: string): string[] {
  const found: string[] = [];
  const walk = (node: {
    readonly nodeName: string;
    readonly attrs?: { name: string; value: string }[];
    readonly childNodes?: unknown[];
  }) => {
    const href = node.nodeName === 'a' && node.attrs?.find(({ name }) => name === 'href')?.value;
    if (href) found.push(href);
    for (const child of node.childNodes ?? []) walk(child as typeof node);
  };
  walk(parse(html) as unknown as Parameters<typeof walk>[0]);
  return found;
}

test('rows name each target of each page once, and the record of a target that is in the corpus', async () => {
  const dir = freshDir();
  const pages = web(40, 1);
  const crawl = await writtenCrawl(dir, pages);
  const out = join(dir, 'out');
  const { card } = await harvestOf(crawl, out, { formats: ['jsonl', 'warc', 'links'] });
  const rows = await linesOf<LinkRow>(join(out, 'links.jsonl'));
  const ids = new Map(crawl.records.map(({ id, url }) => [url, id]));
  const expected = pages.flatMap(({ at: url, html = '' }) =>
    [...new Set(hrefsOf(html))].filter((href) => href !== url).map((to) => [url, to]),
  );
  expect(rows.map(({ url, target }) => [url, target])).toEqual(expected);
  expect(expected.length).toBeGreaterThan(100);
  for (const { id, url, target, targetId } of rows) expect([id, targetId]).toEqual([ids.get(url), ids.get(target) ?? null]);
  const some = rows.find(({ targetId }) => targetId === null);
  expect(some?.anchorText).toMatch(/^words \d of & \d+$/);
  expect(rows.filter(({ nofollow }) => nofollow).every(({ rel }) => rel.includes('nofollow'))).toBe(true);
  expect(rows.some(({ nofollow }) => nofollow)).toBe(true);
  expect(card.links).toEqual({ links: rows.length, inside: rows.filter(({ targetId }) => targetId).length, pagesWithout: 0 });
  expect((await readdir(out)).filter((name) => name.includes('part'))).toEqual([]);
});

test('with Parquet, DuckDB finds the same rows in the tables of links, typed', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const { card } = await harvestOf(await writtenCrawl(dir, web(60, 9)), out, { formats: ['parquet', 'links'] });
  expect(card.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['links.parquet', 'in-links.parquet']));
  await withDuckDb(async (ask) => {
    for (const name of ['links', 'in-links']) {
      const columns = await ask(`DESCRIBE SELECT * FROM read_parquet('${out}/${name}.parquet')`);
      const types = columns.map(({ column_name, column_type }) => `'${column_name}': '${column_type}'`).join(', ');
      const lines = `SELECT * FROM read_json('${out}/${name}.jsonl', format = 'newline_delimited', columns = {${types}})`;
      const table = `SELECT * FROM read_parquet('${out}/${name}.parquet')`;
      expect(await ask(`${lines} EXCEPT ALL ${table}`)).toEqual([]);
      expect(await ask(`${table} EXCEPT ALL ${lines}`)).toEqual([]);
      const rows = (await linesOf<object>(join(out, `${name}.jsonl`))).length;
      expect(rows).toBeGreaterThan(50);
      expect(await ask(`SELECT count(*) AS n FROM (${table})`)).toEqual([{ n: String(rows) }]);
    }
    const [row] = await ask(`SELECT typeof(rel) AS rel, typeof(nofollow) AS nofollow FROM read_parquet('${out}/links.parquet') LIMIT 1`);
    expect(row).toEqual({ rel: 'VARCHAR[]', nofollow: 'BOOLEAN' });
    const [target] = await ask(
      `SELECT typeof(anchors) AS anchors, typeof(pages) AS pages FROM read_parquet('${out}/in-links.parquet') LIMIT 1`,
    );
    expect(target).toEqual({ anchors: 'STRUCT("text" VARCHAR, pages INTEGER)[]', pages: 'INTEGER' });
  });
});

test('a page may declare all its links nofollow', async () => {
  const dir = freshDir();
  const html = '<html><head><meta name="robots" content="nofollow"></head><body><a href="/b">b</a></body></html>';
  const crawl = await writtenCrawl(dir, [{ at: 'http://a.example/', html }]);
  await harvestOf(crawl, join(dir, 'out'), { formats: ['links'] });
  expect(await linesOf<LinkRow>(join(dir, 'out', 'links.jsonl'))).toMatchObject([
    { target: 'http://a.example/b', nofollow: true, rel: [] },
  ]);
});

test('rebuilt from the corpus alone, links, anchor texts and ranks are the same bytes', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, web(60, 2));
  const first = join(dir, 'first');
  await harvestOf(crawl, first, { formats: ['jsonl', 'warc', 'links'] });
  await rm(crawl.dir, { recursive: true });
  const second = join(dir, 'second');
  await writeCorpus(await FolderSource.open(first), writing(second, { formats: ['jsonl', 'warc', 'links'] }));
  for (const name of ['links.jsonl', 'in-links.jsonl', 'corpus.jsonl'])
    expect(await readFile(join(second, name), 'utf8')).toBe(await readFile(join(first, name), 'utf8'));
});

test('a corpus without WARC files has no links, and the message says how to get them', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, web(5, 3));
  await harvestOf(crawl, join(dir, 'first'));
  const again = writeCorpus(await FolderSource.open(join(dir, 'first')), writing(join(dir, 'second'), { formats: ['links'] }));
  await expect(again).rejects.toBeInstanceOf(DataError);
  await expect(again).rejects.toThrow(/has no WARC files.*--format jsonl,warc/);
  expect((await readdir(dir)).sort()).toEqual(['corpus', 'first']);
});

test('damage in a WARC file is an error, or a number on the card', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, web(30, 4));
  const [name = ''] = (await readdir(crawl.dir)).filter((file) => file.endsWith('.gz')).sort();
  await rm(join(crawl.dir, name));
  await expect(harvestOf(crawl, join(dir, 'out'), { formats: ['links'] })).rejects.toThrow(
    /pages have no WARC record, so their links are unknown/,
  );
  const { card } = await harvestOf(crawl, join(dir, 'out'), { formats: ['links'], onDamaged: () => undefined });
  expect(card.links?.pagesWithout).toBeGreaterThan(0);
  expect(card.records.kept).toBe(30);
});

test('anchor texts are credited to their targets, fetched or not', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, web(80, 5));
  await harvestOf(crawl, join(dir, 'out'), { formats: ['links'] });
  const rows = await linesOf<LinkRow>(join(dir, 'out', 'links.jsonl'));
  const inLinks = await linesOf<InLinkRow>(join(dir, 'out', 'in-links.jsonl'));
  const targets = [...new Set(rows.map(({ target }) => target))].sort();
  expect(inLinks.map(({ target }) => target)).toEqual(targets);
  expect(inLinks.some(({ targetId }) => targetId === null)).toBe(true);
  for (const { target, pages, nofollow, hosts, anchors, anchorTexts } of inLinks) {
    const to = rows.filter((row) => row.target === target);
    const texts = new Map<string, number>();
    for (const { anchorText } of to) texts.set(anchorText, (texts.get(anchorText) ?? 0) + 1);
    expect([pages, nofollow, anchorTexts]).toEqual([to.length, to.filter((row) => row.nofollow).length, texts.size]);
    expect(hosts).toBe(new Set(to.map(({ url }) => new URL(url).host)).size);
    expect(new Map(anchors.map(({ text, pages: count }) => [text, count]))).toEqual(texts);
  }
});

wholeTest('the links of a large corpus are divided on disk, and none is lost', async () => {
  const dir = freshDir();
  const links = 120_000;
  async function* rows(): AsyncGenerator<LinkRow> {
    for (let i = 0; i < links; i++)
      yield {
        id: `r${i}` as RecordId,
        url: urlOf(`http://h${i % 11}.example/${i}`) as CanonicalUrl,
        target: urlOf(`http://t.example/${i % 3 === 0 ? 'hub' : i % 5000}`) as CanonicalUrl,
        targetId: null,
        anchorText: `anchor ${i}`,
        rel: [],
        nofollow: false,
        zone: 'content',
      };
  }
  const file = await HashedFile.create(join(dir, 'in-links.jsonl'));
  let targets = 0;
  for await (const line of inLinkLines(rows(), links, join(dir, 'part'))) {
    targets++;
    await file.write(line);
  }
  await file.finish();
  const written = await linesOf<InLinkRow>(join(dir, 'in-links.jsonl'));
  expect([written.length, new Set(written.map(({ target }) => target)).size]).toEqual([targets, targets]);
  expect(written.reduce((sum, { pages }) => sum + pages, 0)).toBe(links);
  const hub = written.find(({ target }) => target.endsWith('hub'));
  expect([hub?.pages, hub?.hosts, hub?.anchors.length, hub?.anchorTexts]).toEqual([links / 3, 11, MAX_ANCHORS, links / 3]);
  expect(await readdir(dir)).toEqual(['in-links.jsonl']);
});

/** PageRank by a dense matrix, solved as a linear system by Gaussian elimination: code of its own, and no iteration. */
function denseRanks(links: readonly (readonly number[])[]): number[] {
  const n = links.length;
  const rows = Array.from({ length: n }, (_, to) => {
    const row = Array.from({ length: n }, (_unused, from) => {
      const out = links[from] ?? [];
      const weight = out.length === 0 ? 1 / n : out.includes(to) ? 1 / out.length : 0;
      return (from === to ? 1 : 0) - 0.85 * weight;
    });
    return [...row, 0.15 / n];
  });
  for (let pivot = 0; pivot < n; pivot++) {
    const best = rows
      .slice(pivot)
      .reduce((most, row, i) => (Math.abs(row[pivot] ?? 0) > Math.abs(rows[most]?.[pivot] ?? 0) ? pivot + i : most), pivot);
    [rows[pivot], rows[best]] = [rows[best] ?? [], rows[pivot] ?? []];
    for (let i = 0; i < n; i++) {
      if (i === pivot) continue;
      const factor = (rows[i]?.[pivot] ?? 0) / (rows[pivot]?.[pivot] ?? 1);
      rows[i] = (rows[i] ?? []).map((value, j) => value - factor * (rows[pivot]?.[j] ?? 0));
    }
  }
  return rows.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

test('pageRank of each page equals that of a dense computation', async () => {
  const dir = freshDir();
  const pages = web(90, 6);
  const crawl = await writtenCrawl(dir, pages);
  await harvestOf(crawl, join(dir, 'out'), { formats: ['jsonl', 'links'] });
  const written = await linesOf<HarvestedPage>(join(dir, 'out', 'corpus.jsonl'));
  const number = new Map(pages.map(({ at: url }, i) => [url, i]));
  const expected = denseRanks(
    pages.map(({ at: url, html = '' }) => [...new Set(hrefsOf(html))].flatMap((to) => (to === url ? [] : (number.get(to) ?? [])))),
  );
  const ranks = written.map((page) => page.pageRank ?? 0);
  for (const [i, rank] of ranks.entries()) expect(rank).toBeCloseTo(expected[i] ?? 0, 9);
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
  expect(Math.max(...ranks)).toBeGreaterThan(3 * Math.min(...ranks));
});

test('a graph without links, and one without nodes', () => {
  const none = { starts: new Uint32Array(4), counts: new Uint32Array(4), targets: new Uint32Array(0) };
  expect([...pageRank(none)]).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(pageRank({ starts: new Uint32Array(0), counts: new Uint32Array(0), targets: new Uint32Array(0) }).length).toBe(0);
});
