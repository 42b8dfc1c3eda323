/** `npm run data -- topics-build [--out DIR] [--only set,set] [--web DIR] [--packages DIR] [--texts DIR]` */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { DEFAULT_DIR as DEFAULT_WEB } from '../debian-web/source.ts';
import { buildTopics } from './builder.ts';
import { GIVEN_SETS, isGivenSet } from './given-texts.ts';
import { SET_NAMES, type SetName } from './text-set.ts';

const USAGE = `Build the labelled sets that npm run bench -- topic measures on.
  --out DIR        where to (default .cache/topics)
  --only set,set   these of ${SET_NAMES.join(', ')} (default: all; 30 MB to download; those of --texts only with it)
  --web DIR        a built Debian web (default ${DEFAULT_WEB})
  --packages DIR   look for .deb and .tgz files here before asking apt and npm
  --texts DIR      folder of the files for ${Object.keys(GIVEN_SETS).join(', ')}`;

function options() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: '.cache/topics' },
        only: { type: 'string' },
        web: { type: 'string', default: DEFAULT_WEB },
        packages: { type: 'string' },
        texts: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

function setNamed(word: string): SetName {
  const name = SET_NAMES.find((known) => known === word);
  if (name === undefined) throw new UsageError(`--only ${word}: not one of ${SET_NAMES.join(', ')}`);
  return name;
}

async function main(): Promise<void> {
  const { out, only, web, packages, texts, help } = options();
  if (help) return console.log(USAGE);
  if (packages !== undefined && !existsSync(packages)) throw new UsageError(`--packages ${packages}: there is no such folder`);
  const progress = (line: string) => console.error(line);
  await buildTopics({
    sets: only?.split(',').filter(Boolean).map(setNamed) ?? SET_NAMES.filter((name) => texts !== undefined || !isGivenSet(name)),
    out,
    web,
    packages: packages ?? null,
    texts: texts ?? null,
    progress,
  });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
