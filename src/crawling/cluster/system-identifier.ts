/** The number that tells a database server from all others. A server on restored files has the number of the first one. */
import type { SqlClient } from './sql-client.ts';

/** null where the server does not tell it: it only speaks the protocol of PostgreSQL, or the role has no right to ask. */
export async function systemIdentifierOf(client: Pick<SqlClient, 'query'>): Promise<string | null> {
  const [right] = await client.query<{ may: boolean | null }>(
    "select has_function_privilege(to_regprocedure('pg_control_system()'), 'execute') as may",
  );
  if (!right?.may) return null;
  const [row] = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  return row?.id ?? null;
}
