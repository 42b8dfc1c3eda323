/** Words looked for in all bytes of a folder: files as they are, unpacked, and as readers of their forms see them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';
import { LmdbStore } from '../../src/crawling/frontier/lmdb-store.ts';
import { openZip } from '../../src/reading/documents/zip-reader.ts';
import { withDuckDb } from '../corpus/harvest/duckdb.ts';

/** Paths of the files of a folder that have a word, each also as `file!part` for what is packed in it. */
export async function filesWith(folder: string, word: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    for (const [part, bytes] of [...unpacked(name, readFileSync(path)), ...(await readByOthers(name, path))])
      if (Buffer.from(bytes).includes(word)) found.add(part);
  }
  return [...found].sort();
}

/** The bytes of a file, and of all files in it. */
function* unpacked(name: string, bytes: Uint8Array): Generator<readonly [string, Uint8Array]> {
  yield [name, bytes];
  if (name.endsWith('.gz')) yield* unpacked(`${name}!`, gunzipSync(bytes));
  const zip = openZip(bytes);
  if (zip.kind !== 'open') return;
  for (const inner of zip.archive.names) {
    const content = zip.archive.read(inner);
    if (content.kind === 'read') yield* unpacked(`${name}!${inner}`, content.bytes);
  }
}

async function readByOthers(name: string, path: string): Promise<readonly (readonly [string, Uint8Array])[]> {
  if (name.endsWith('.parquet'))
    return withDuckDb(async (ask) => [[`${name}!rows`, Buffer.from(JSON.stringify(await ask(`SELECT * FROM read_parquet('${path}')`)))]]);
  if (!name.endsWith('.sqlite')) return [];
  const db = new sqlite.Database(path, { readOnly: true });
  try {
    const tables = db.all("SELECT name FROM sqlite_master WHERE type = 'table'").map((row) => String(row['name']));
    return tables.map((table) => [`${name}!${table}`, Buffer.from(JSON.stringify(db.all(`SELECT * FROM "${table}"`)))] as const);
  } finally {
    db.close();
  }
}

/** The same of a crawl: in the texts that its database has packed, too. */
export async function packedFilesWith(dir: string, word: string): Promise<readonly string[]> {
  const found = [...(await filesWith(dir, word))];
  const store = LmdbStore.open(join(dir, 'frontier'), null, null, 'read');
  try {
    for (const [slot] of store.fates()) if (JSON.stringify(store.page(slot) ?? {}).includes(word)) found.push(`frontier!page ${slot}`);
    for (const [index, discovery] of store.discoveries())
      if (JSON.stringify(discovery).includes(word)) found.push(`frontier!discovery ${index}`);
  } finally {
    await store.close();
  }
  return found;
}

/** Number of pages whose text the frontier of a crawl has. */
export async function storedTexts(dir: string): Promise<number> {
  const store = LmdbStore.open(join(dir, 'frontier'), null, null, 'read');
  try {
    return [...store.fates()].filter(([slot]) => store.page(slot) !== null).length;
  } finally {
    await store.close();
  }
}
