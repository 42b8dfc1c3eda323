/** `npm run data -- parallel-text-build [--out DIR] [--only manual,manual] [--packages DIR]` */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { buildParallelText } from './builder.ts';
import { MANUALS, type ManualSource } from './manuals.ts';
import { DEFAULT_DIR } from './store.ts';

const NAMES = MANUALS.map(({ name }) => name);
const USAGE = `Build the translated manuals that npm run bench -- align reads.
  --out DIR            where to (default ${DEFAULT_DIR})
  --only manual,manual these of ${NAMES.join(', ')} (default: all; 20 MB to download)
  --packages DIR       look for source archives (.tar.xz) here before asking apt`;

function options() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: DEFAULT_DIR },
        only: { type: 'string', default: NAMES.join(',') },
        packages: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

function manualNamed(word: string): ManualSource {
  const manual = MANUALS.find(({ name }) => name === word);
  if (manual === undefined) throw new UsageError(`--only ${word}: not one of ${NAMES.join(', ')}`);
  return manual;
}

async function main(): Promise<void> {
  const { out, only, packages, help } = options();
  if (help) return console.log(USAGE);
  if (packages !== undefined && !existsSync(packages)) throw new UsageError(`--packages ${packages}: there is no such folder`);
  const manuals = only.split(',').filter(Boolean).map(manualNamed);
  await buildParallelText({ manuals, out, packages: packages ?? null, progress: (line) => console.error(line) });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
