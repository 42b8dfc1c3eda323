import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataError, UsageError } from '../../src/base/core/errors.ts';

/** One row of hosts.tsv: a folder of a Debian package and the place on the web it plays. */
export interface HostRow {
  readonly host: string;
  /** Begins and ends with `/`. */
  readonly urlPrefix: string;
  readonly package: string;
  /** Folder inside the package, without leading or trailing `/`. */
  readonly path: string;
  readonly subject: string;
  /** `en`, `fr`, …, or `multi`. */
  readonly lang: string;
}

const TABLE = fileURLToPath(new URL('hosts.tsv', import.meta.url));
let table: readonly HostRow[] | null = null;

/** The rows of hosts.tsv, read once. */
export function hostTable(): readonly HostRow[] {
  table ??= parseHosts(readFileSync(TABLE, 'utf8'), 'hosts.tsv');
  return table;
}

/** Rows of a table in the form of hosts.tsv. @throws DataError with file and line. */
export function parseHosts(text: string, file: string): readonly HostRow[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, at: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .map(({ line, at }) => parseRow(line, `${file}:${at}`));
}

function parseRow(line: string, where: string): HostRow {
  const [host = '', urlPrefix = '', name = '', path = '', subject = '', lang = ''] = line.split('\t');
  if (lang === '')
    throw new DataError(`${where}: a row has 6 columns separated by tabs: host, URL prefix, package, path, subject, language`);
  if (!urlPrefix.startsWith('/') || !urlPrefix.endsWith('/')) {
    throw new DataError(`${where}: URL prefix ${urlPrefix} must begin and end with /`);
  }
  return { host, urlPrefix, package: name, path, subject, lang };
}

/** The rows of the chosen hosts, all when `only` is empty. @throws UsageError for a host that is not in the table. */
export function rowsOf(only: readonly string[], rows: readonly HostRow[] = hostTable()): readonly HostRow[] {
  const unknown = only.filter((host) => !rows.some((row) => row.host === host));
  if (unknown.length > 0) throw new UsageError(`no such host in hosts.tsv: ${unknown.join(', ')}; its first column has the names`);
  return only.length === 0 ? rows : rows.filter((row) => only.includes(row.host));
}

/** A file name for the row: unique, since a package plays one prefix of one host at most once per folder. */
export function rowId(row: HostRow): string {
  return `${row.host}${row.urlPrefix}${row.package}`.replace(/[^A-Za-z0-9.+-]+/g, '_');
}
