/** `npm run data -- entries-build [--out DIR] [--only web,web] [--packages DIR]` */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { buildEntryWebs } from './builder.ts';
import { DEFAULT_DIR } from './store.ts';
import { ENTRY_WEBS, type EntryWebSource } from './webs.ts';

const USAGE = `Build the webs of entries that npm run bench -- focus crawls: dictionaries, an archive of mails, packages.
  --out DIR        where to (default ${DEFAULT_DIR})
  --only web,web   these of ${ENTRY_WEBS.map(({ name }) => name).join(', ')} (default: all; 65 MB to download)
  --packages DIR   look for .deb and .tgz files here before asking apt and npm, and for Packages with Translation-en`;

function options() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: DEFAULT_DIR },
        only: { type: 'string', default: ENTRY_WEBS.map(({ name }) => name).join(',') },
        packages: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

function webNamed(word: string): EntryWebSource {
  const web = ENTRY_WEBS.find(({ name }) => name === word);
  if (web === undefined) throw new UsageError(`--only ${word}: not one of ${ENTRY_WEBS.map(({ name }) => name).join(', ')}`);
  return web;
}

async function main(): Promise<void> {
  const { out, only, packages, help } = options();
  if (help) return console.log(USAGE);
  if (packages !== undefined && !existsSync(packages)) throw new UsageError(`--packages ${packages}: there is no such folder`);
  const progress = (line: string) => console.error(line);
  await buildEntryWebs({ webs: only.split(',').filter(Boolean).map(webNamed), out, packages: packages ?? null, progress });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
