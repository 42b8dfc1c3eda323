/** `npm run data -- parallel-build [--only host,host] [--out DIR] [--debs DIR] [--offline]` */
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { buildDebianWeb } from '../debian-web/builder.ts';
import { rowsOf } from '../debian-web/hosts.ts';
import { PARALLEL_DIR, siteRows } from './sites.ts';

const USAGE = `Build the parallel web: manuals of Debian packages in several languages, laid out as sites.
  --only host,host   these hosts of sites.tsv (default: all; about 600 MB to download, 720 MB of pages)
  --out DIR          where to (default ${PARALLEL_DIR})
  --debs DIR         look for .deb files here before asking apt
  --offline          build only what --debs has`;

function options() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', default: '' },
        out: { type: 'string', default: PARALLEL_DIR },
        debs: { type: 'string' },
        offline: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

async function main(): Promise<void> {
  const { only, out, debs, offline, help } = options();
  if (help) return console.log(USAGE);
  const rows = rowsOf(only.split(',').filter(Boolean), siteRows());
  const progress = (line: string) => console.error(line);
  const manifest = await buildDebianWeb({ rows, out, cap: null, debs: debs ?? null, offline, progress });
  console.error(`${manifest.pages} pages, ${(manifest.bytes / 1e6).toFixed(0)} MB in ${out}`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
