/** The content of folders and databases, to see that a refused command has changed nothing. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SqlClient } from '../../src/crawling/cluster/sql-client.ts';

/** LMDB notes its readers there, also of a database that is only read. */
const READERS = 'lock.mdb';

/** The SHA-256 of each file below a folder, by its path; folders have none. */
export function sumsBelow(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name !== READERS);
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''] as const;
    }),
  );
}

/** The rows of all tables of Forager, as one sum for each. */
export async function sumsOfTables(client: Pick<SqlClient, 'query'>): Promise<ReadonlyMap<string, string>> {
  const tables = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'forager' order by 1");
  const sums = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await client.query<{ sum: string }>(
      `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as sum from forager.${JSON.stringify(name)} t`,
    );
    sums.set(name, row?.sum ?? '');
  }
  return sums;
}
