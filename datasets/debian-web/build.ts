/** `npm run data -- web-build [--only host,host] [--cap N] [--out DIR] [--debs DIR] [--offline]` */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { buildDebianWeb } from './builder.ts';
import { rowsOf } from './hosts.ts';
import { DEFAULT_DIR } from './source.ts';

const USAGE = `Build the Debian web: HTML of Debian packages, laid out by host.
  --only host,host   these hosts of hosts.tsv (default: all; about 2.3 GB to download, 5.5 GB of pages)
  --cap N            at most N pages a row, the nearest to its index
  --out DIR          where to (default ${DEFAULT_DIR})
  --debs DIR         look for .deb files here before asking apt
  --offline          build only what --debs has`;

function options() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', default: '' },
        cap: { type: 'string' },
        out: { type: 'string', default: DEFAULT_DIR },
        debs: { type: 'string' },
        offline: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

function capOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--cap ${text}: must be a whole number above 0`);
  return Number(text);
}

async function main(): Promise<void> {
  const { only, cap, out, debs, offline, help } = options();
  if (help) return console.log(USAGE);
  if (debs !== undefined && !existsSync(debs)) throw new UsageError(`--debs ${debs}: there is no such folder`);
  const rows = rowsOf(only.split(',').filter(Boolean));
  const progress = (line: string) => console.error(line);
  const manifest = await buildDebianWeb({ rows, out, cap: capOf(cap), debs: debs ?? null, offline, progress });
  console.error(`${manifest.pages} pages, ${(manifest.bytes / 1e6).toFixed(0)} MB in ${out}`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
