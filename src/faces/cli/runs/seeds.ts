import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/core/errors.ts';
import { foragerCommand } from '../../../base/text/forager-command.ts';
import { isArchiveFile, isArchiveFolder } from '../../../crawling/archive/archive-files.ts';
import { showCited } from '../cited-seeds.ts';
import type { CommandOptions } from '../define.ts';
import { showRanked } from '../ranked-seeds.ts';
import { showQueries, showRepeated, showSearched } from '../searched-seeds.ts';

/** The crawl, the archive or the lists that seeds are looked for in. */
export async function runSeeds(options: CommandOptions<'seeds'>): Promise<number> {
  const { dir, from, topic, format, json } = options;
  if (format === 'urls' && json) throw new UsageError('--format urls, --json: exclude each other; omit one of them');
  refuseSeveral(options);
  const { search, queries, repeat } = options;
  if (repeat !== undefined) return showRepeated({ ...options, repeat });
  if (queries) return showQueries(options);
  if (search !== undefined) return showSearched({ ...options, search });
  if (from !== undefined) return showRanked(options, { from, ...(dir !== undefined && { dir }) });
  if (dir === undefined)
    throw new UsageError(
      `<dir> is missing: give a crawl directory, or an archive, --from, --queries or --search with --topic; see ${foragerCommand('seeds', '--help')}`,
    );
  const isFile = isArchiveFile(dir);
  if (isFile && topic === undefined) throw new UsageError(`${dir}: is an archive; give the topic model that ranks its hosts with --topic`);
  const isArchive = isFile || (topic !== undefined && !existsSync(join(dir, 'crawl.json')) && isArchiveFolder(dir));
  return isArchive ? showRanked(options, { archives: [dir] }) : showCited({ ...options, dir });
}

/** @throws UsageError for two tasks at once: with `--repeat`, `--search` names the engine */
function refuseSeveral({ from, queries, search, repeat }: CommandOptions<'seeds'>): void {
  const given = [
    from !== undefined && '--from',
    queries === true && '--queries',
    search !== undefined && repeat === undefined && '--search',
    repeat !== undefined && '--repeat',
  ].filter((flag) => flag !== false);
  if (given.length > 1) throw new UsageError(`${given.join(', ')}: exclude each other; give one of them`);
}
