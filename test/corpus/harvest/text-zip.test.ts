import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellsOf } from '../../../src/base/text/table-cells.ts';
import { openZip } from '../../../src/reading/documents/zip-reader.ts';
import { freshDir } from '../records/samples.ts';
import { madeRecord } from './made-corpus.ts';
import { harvestOf, writtenCrawl } from './written-crawl.ts';

test('the ZIP has one text a page under a name that tells its source, and the table names each', async () => {
  const pages = Array.from({ length: 5 }, (_, i) => ({
    ...madeRecord(i),
    at: madeRecord(i).url,
    html: `<title>=Page "${i}", of Ireland</title><meta name=author content="A. Moss, B. Peat"><p>${'Grafting of page '.repeat(20)}${i}</p>`,
  }));
  const crawl = await writtenCrawl(freshDir(), pages);
  const dir = join(freshDir(), 'moss');
  await harvestOf(crawl, dir, { formats: ['jsonl', 'zip'], minRelevance: 0 });
  const corpus = readFileSync(join(dir, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(corpus).toHaveLength(5);
  const [head = '', ...rows] = readFileSync(join(dir, 'metadata.csv'), 'utf8').trim().split('\r\n');
  expect(head).toBe('file,url,host,title,authors,published,fetchedAt,lang,relevance,id');
  const zip = openZip(readFileSync(join(dir, 'texts.zip')));
  if (zip.kind !== 'open') throw new Error(zip.detail);
  const cells = rows.map((row) => cellsOf(row, ','));
  expect(cells.map(([, url, , , , , , , , id]) => [url, id])).toEqual(corpus.map(({ url, id }) => [url, id]));
  expect(zip.archive.names).toEqual(cells.map(([file]) => file));
  for (const [i, [file = '', url = '', host, title = '']] of cells.entries()) {
    const { hostname } = new URL(url);
    expect([file.startsWith(`${hostname}_`), host]).toEqual([true, new URL(url).host]);
    expect(file).toMatch(/^[^_]+_[^_]+_(?:\d{4}[-\d]*|undated)_[0-9a-f]{16}\.txt$/);
    const shown = corpus[i].title.replace(/\s+/g, ' ').trim();
    expect(title).toBe(/^[=+\-@]/.test(shown) ? `'${shown}` : shown);
    const read = zip.archive.read(file);
    expect(read.kind === 'read' && Buffer.from(read.bytes).toString()).toBe(`${corpus[i].text}\n`);
  }
});
