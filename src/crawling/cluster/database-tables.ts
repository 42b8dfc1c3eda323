import { StoreError } from '../../base/core/errors.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { MIGRATIONS } from './migrations.ts';
import type { SqlClient } from './sql-client.ts';

/** A lock for those who migrate at one time: its number has no meaning. */
const LOCK = 7_061_947;

/**
 * Brings the tables of a database to this version. Workers of earlier versions are refused from then on.
 * @throws StoreError for a database of a later version, and as `SqlClient.query`
 */
export async function migrate(client: SqlClient): Promise<void> {
  if ((await versionOf(client)) === MIGRATIONS.length) return;
  await client.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await query('create schema if not exists forager');
    await query('create table if not exists forager.migration (no integer primary key, at timestamptz not null default now())');
    const { rows } = (await query('select coalesce(max(no), 0) as no from forager.migration')) as { rows: { no: number }[] };
    const there = rows[0]?.no ?? 0;
    refuseLater(there, client);
    for (const [i, migration] of MIGRATIONS.entries()) {
      if (i < there) continue;
      await query(migration);
      await query('insert into forager.migration (no) values ($1)', [i + 1]);
    }
  });
}

/** @throws StoreError for a database without crawls, or of another version */
export async function checkSchema(client: SqlClient): Promise<void> {
  const version = await versionOf(client);
  refuseLater(version, client);
  if (version === 0)
    throw new StoreError(
      'STORE_IO',
      `${client.shown}: has no crawls; begin one with: ${foragerCommand('crawl', new Blank('dir'), '--at', '…')}`,
    );
  if (version < MIGRATIONS.length)
    throw new StoreError('STORE_IO', `${client.shown}: is of an earlier version; resume a crawl of it, which updates the tables`);
}

async function versionOf(client: SqlClient): Promise<number> {
  const [table] = await client.query<{ there: string | null }>("select to_regclass('forager.migration')::text as there");
  if (!table?.there) return 0;
  const [row] = await client.query<{ no: number }>('select coalesce(max(no), 0) as no from forager.migration');
  return row?.no ?? 0;
}

function refuseLater(version: number, { shown }: SqlClient): void {
  if (version > MIGRATIONS.length)
    throw new StoreError(
      'STORE_CORRUPT',
      `${shown}: was made by a later version (schema ${version}, this one knows ${MIGRATIONS.length}); install that version`,
    );
}
