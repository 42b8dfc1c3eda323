/** A crawl as Forager 0.1 left it: no ids, no numbers of commits, no checksums. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { walkWarc } from '../../src/corpus/records/warc-stream.ts';
import { LmdbStore } from '../../src/crawling/frontier/lmdb-store.ts';
import { formerOf, writeFormer } from './former-frontier.ts';

const WARC = 'forager-00000.warc.gz';

/**
 * Change the frontier of a crawl that nobody has open to the layout of 0.1, format 2.
 * @param grown bytes that corpus files have more than when they were committed
 */
export async function withoutChecksums(folder: string, grown: Readonly<Record<string, number>> = {}): Promise<void> {
  const store = LmdbStore.open(folder, null, null, 'read');
  const offsets: Record<string, number> = { ...store.lastCommit()?.offsets };
  for (const [name, bytes] of Object.entries(grown)) offsets[name] = (offsets[name] ?? 0) + bytes;
  const tables = formerOf(store.history());
  await store.close();
  for (const name of ['data.mdb', 'lock.mdb', 'checkpoint.bin']) rmSync(join(folder, name), { force: true });
  await writeFormer(folder, 2, { ...tables, offsets });
}

export async function asOfForager01(dir: string): Promise<void> {
  const corpus = join(dir, 'corpus');
  await withoutChecksums(join(dir, 'frontier'), { [WARC]: await withoutCrawl(join(corpus, WARC)) });
  for (const name of readdirSync(corpus)) if (name.startsWith('commit-')) rmSync(join(corpus, name));
  const stored = JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as Record<string, unknown>;
  const { id: _, crc32: __, delay: delayMs, patience: patienceMs, maxDepth, tunnel, ...manifest } = stored;
  const earlier = { ...manifest, format: 1, delayMs, patienceMs, gamma: 0, expansion: { maxDepth, tunnel } };
  writeFileSync(join(dir, 'crawl.json'), JSON.stringify(earlier));
}

/** Let the first record of a WARC file name no crawl. @returns bytes that the file has more now */
async function withoutCrawl(path: string): Promise<number> {
  const bytes = readFileSync(path);
  for await (const { end } of walkWarc(path, () => false)) {
    const named = gunzipSync(bytes.subarray(0, end)).toString('latin1');
    const member = gzipSync(Buffer.from(named.replace(/(?<=isPartOf: )urn:uuid:[0-9a-f-]{36}/, 'x'.repeat(45)), 'latin1'));
    writeFileSync(path, Buffer.concat([member, bytes.subarray(end)]));
    return member.length - end;
  }
  return 0;
}
