import { join } from 'node:path';
import type { Database } from 'node-sqlite3-wasm';
import { CorpusDatabase, DATABASE_FILE, TableSums } from '../search/corpus-database.ts';
import type { CorpusLinks } from '../select/corpus-links.ts';
import { hashOfFile } from '../select/hashed-file.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';
import { RECORD_SUMS_FILE, type RecordSums, rowPlaces } from './record-sums.ts';

export const sqlite = {
  name: 'sqlite',
  help: 'corpus.sqlite: tables pages and links, and a full-text index for forager search',
  copies: false,
  links: 'used',
  async open({ folder, sums, crawl, links, columns }) {
    const path = folder.path(DATABASE_FILE);
    // With the permissions of the other files: SQLite's library makes a file for its owner only.
    await folder.write(DATABASE_FILE, new Uint8Array());
    const database = await CorpusDatabase.create(path, columns);
    folder.onDiscard(() => database.close());
    for (const table of TABLES) sums.table(nameOf(table), database.sums[table]);
    return {
      write: async (page) => database.addPage(page),
      finish: async () => {
        if (links) await addLinks(links, database, sums);
        database.finish({ topic: crawl.topicName, software: crawl.software, hasLinks: links ? 'yes' : 'no' });
        folder.list(DATABASE_FILE, await hashOfFile(path));
        return NO_FACTS;
      },
    };
  },
  async *ids(dir: string) {
    const { withDatabase } = await import('../search/corpus-search.ts');
    yield* await withDatabase(join(dir, DATABASE_FILE), (db) => db.all('SELECT id FROM pages ORDER BY n').map(({ id }) => String(id)));
  },
  rows: { file: DATABASE_FILE, damaged: damagedRows },
} as const satisfies OutputFormat;

const TABLES = ['pages', 'links'] as const;

function nameOf(table: (typeof TABLES)[number]): string {
  return `${DATABASE_FILE}:${table}`;
}

/** The links of a page follow each other. */
async function addLinks(links: CorpusLinks, database: CorpusDatabase, sums: RecordSums): Promise<void> {
  let page = '';
  for await (const row of links.rows()) {
    if (row.id !== page) await sums.part(page);
    page = row.id;
    database.addLink(row);
  }
  await sums.part(page);
}

/** The pages with a row that is not the written one: itself, or one of its links. Needs the memory of the rows of one page. */
async function damagedRows(dir: string, most: number): Promise<string[]> {
  const { withDatabase } = await import('../search/corpus-search.ts');
  const damaged = new Set<string>();
  await withDatabase(join(dir, DATABASE_FILE), async (db) => {
    for (const table of TABLES)
      for await (const { from, to, crc, ids } of rowPlaces(join(dir, RECORD_SUMS_FILE), nameOf(table))) {
        if (damaged.size >= most) return;
        if (crc !== crcOf(db, table, from, to)) for (const id of ids) damaged.add(id);
      }
  });
  return [...damaged];
}

/** null if the rows cannot be read. */
function crcOf(db: Database, table: (typeof TABLES)[number], from: number, to: number): number | null {
  const sums = new TableSums();
  try {
    for (const row of db.all(`SELECT * FROM ${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`, [from, to]))
      sums.add(Object.values(row));
    return sums.takeCrc();
  } catch {
    return null;
  }
}
