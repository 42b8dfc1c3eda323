/** A crawl as Forager 0.1 left it: no ids, no numbers of commits, no checksums. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';

const TABLES = ['discoveries', 'fates', 'pages', 'retries', 'revisits', 'hosts'];

/** Change the frontier of a crawl that nobody has open to the layout of 0.1, format 2. */
export async function withoutChecksums(folder: string): Promise<void> {
  const root = open<unknown, string>({ path: folder, maxDbs: 7 });
  const { offsets } = JSON.parse(String(root.get('head'))) as { offsets: object };
  for (const name of TABLES) {
    const table: Database<Uint8Array, number> = root.openDB({ name, encoding: 'binary', keyEncoding: 'uint32' });
    const entries = [...table.getRange()].map(({ key, value }) => [key, Buffer.from(value).subarray(0, -4)] as const);
    for (const [key, value] of entries) await table.put(key, value);
  }
  await root.remove('head');
  await root.put('format', 2);
  await root.put('offsets', offsets);
  await root.close();
}

export async function asOfForager01(dir: string): Promise<void> {
  await withoutChecksums(join(dir, 'frontier'));
  const corpus = join(dir, 'corpus');
  for (const name of readdirSync(corpus)) if (name.startsWith('commit-')) rmSync(join(corpus, name));
  const { id: _, crc32: __, ...manifest } = JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(dir, 'crawl.json'), JSON.stringify(manifest));
}
