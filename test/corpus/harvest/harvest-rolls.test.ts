/** WARC files of a harvest: in the order the crawl wrote them, each with the warcinfo records its pages refer to. */
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordId } from '../../../src/base/core/types.ts';
import { WarcPass } from '../../../src/corpus/formats/harvest-warc.ts';
import { CDXJ_FILE, warc } from '../../../src/corpus/formats/warc.ts';
import { claimHarvestFolder } from '../../../src/corpus/harvest/harvest-output.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { CrawlSource } from '../../../src/corpus/select/crawl-source.ts';
import { freshDir, INFO, pageOf, recordOf, T0 } from '../records/samples.ts';
import { readBack } from '../records/warcio-oracle.ts';

async function crawled(pages: number, maxWarcBytes: number) {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes });
  const ids = Array.from({ length: pages }, (_, i) => {
    const page = pageOf(`http://orchard.example/${i}`, `page ${i}`);
    const record = recordOf(page);
    writer.append({ kind: 'page', record: record, page: page });
    return record.id;
  });
  await writer.close();
  return { dir, ids };
}

async function harvested(dir: string, ids: readonly string[], maxWarcBytes: number) {
  const out = join(dir, '..', 'harvest');
  const folder = await claimHarvestFolder(out, [dir], false);
  const done: number[] = [];
  const warcPass = new WarcPass({
    source: await CrawlSource.open({ corpusDir: dir, committed: null }),
    info: INFO,
    at: T0,
    maxWarcBytes,
    scratch: (name) => folder.scratch(name),
    onPage: (n: number) => done.push(n),
  });
  for (const id of ids) warcPass.want({ id: id as RecordId });
  const writer = await warc.open({ folder, warcPass });
  await writer.finish();
  await folder.publish();
  const names = (await readdir(out)).filter((name) => name !== CDXJ_FILE).sort();
  return { names, done, files: await Promise.all(names.map((name) => readBack(join(out, name)))) };
}

test('a page refers to a warcinfo record of its own file, however the files roll, and none is there twice', async () => {
  const { dir, ids } = await crawled(6, 1_000_000);
  const { names, files, done } = await harvested(dir, ids, 2000);
  expect(names.length).toBeGreaterThan(2);
  expect(names).toEqual(names.map((_, i) => `corpus-0000${i}.warc.gz`));
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
  for (const records of files) {
    const infos = records.flatMap(({ type, id }) => (type === 'warcinfo' ? [`<${id}>`] : []));
    expect(infos).toHaveLength(2); // that of the harvest, and that of the crawl
    for (const { type, fields } of records) if (type !== 'warcinfo') expect(infos).toContain(fields.get('warc-warcinfo-id'));
  }
});

test('files are read in the order of their numbers, not of their names as text', async () => {
  const { dir, ids } = await crawled(3, 1);
  for (const [i, number] of [9, 99_999, 100_000].entries())
    await rename(join(dir, `forager-0000${i}.warc.gz`), join(dir, `forager-${String(number).padStart(5, '0')}.new`));
  for (const name of await readdir(dir))
    if (name.endsWith('.new')) await rename(join(dir, name), join(dir, name.replace('.new', '.warc.gz')));
  const { files } = await harvested(dir, ids, 1_000_000);
  expect(files.flat().flatMap(({ type, id }) => (type === 'response' ? [id] : []))).toEqual(ids);
});
