/**
 * Builds models/background from a folder of pages laid out as <web>/<host>/… and from the prose of packages (sources.ts): hashed document frequencies over all texts taken and
 * a sample of hashed pages. No text is kept.
 *
 *   npx tsx datasets/background/build.ts <web> [--out DIR] [--packages DIR] [--extractor METHOD]
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { type BackgroundOrigin, BUNDLED_BACKGROUND, encodeBackground } from '../../src/reading/topic/background.ts';
import { hostsOf, packageGroups, type TextGroup, webGroups } from './collect.ts';
import { composeBackground } from './compose.ts';
import { PageFiles } from './pages.ts';
import { EXCLUDED_HOSTS, PACKAGE_SHARES, WEB_SHARES } from './shares.ts';
import { SOURCES } from './sources.ts';

const USAGE = `Build the background that topics are told from.
  <web>              pages laid out as <web>/<host>/…html, such as a built Debian web
  --out DIR          where to (default models/background)
  --packages DIR     keep fetched packages here, and look for them here first (default .cache/packages)
  --extractor NAME   how main text is found: ${MAIN_TEXT_METHODS.join(', ')} (default ${DEFAULT_MAIN_TEXT_METHOD})`;

interface Options {
  readonly web: string;
  readonly out: string;
  readonly packages: string;
  readonly method: MainTextMethod;
}

/** null when help was asked for. */
function options(): Options | null {
  const { values, positionals } = parsed();
  if (values.help) return null;
  const [web] = positionals;
  if (web === undefined || !existsSync(web)) throw new UsageError(`${web ?? 'no <web>'}: give a folder of <host>/…html; try --help`);
  const method = MAIN_TEXT_METHODS.find((name) => name === values.extractor);
  if (method === undefined) throw new UsageError(`--extractor ${values.extractor}: not one of ${MAIN_TEXT_METHODS.join(', ')}`);
  return { web, out: values.out, packages: values.packages, method };
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string', default: BUNDLED_BACKGROUND },
        packages: { type: 'string', default: '.cache/packages' },
        extractor: { type: 'string', default: DEFAULT_MAIN_TEXT_METHOD },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

async function ofWeb({ web, method }: Options): Promise<TextGroup[]> {
  const files = new PageFiles(web, method);
  const groups: TextGroup[] = [];
  for (const host of hostsOf(web, EXCLUDED_HOSTS)) groups.push(...reported(host, await webGroups(files, host, WEB_SHARES)));
  return groups;
}

async function ofPackages({ web, method, packages }: Options): Promise<{ groups: TextGroup[]; packages: BackgroundOrigin['packages'] }> {
  const files = new PageFiles(web, method);
  const groups: TextGroup[] = [];
  const origins: BackgroundOrigin['packages'] = [];
  mkdirSync(packages, { recursive: true });
  for (const source of SOURCES) {
    const found = await packageGroups(source, files, PACKAGE_SHARES, { staging: packages, packages });
    groups.push(...reported(`${source.name} (${source.register})`, found.groups));
    origins.push({ name: source.name, version: found.version, licence: source.licence });
  }
  return { groups, packages: origins };
}

function reported(name: string, groups: readonly TextGroup[]): readonly TextGroup[] {
  console.error(`${name}: ${groups.map(({ language, texts }) => `${language} ${texts.length}`).join(', ')}`);
  return groups;
}

function write(out: string, info: string, table: Uint8Array): number {
  mkdirSync(out, { recursive: true });
  const packed = gzipSync(table, { level: 9 });
  writeFileSync(join(out, 'background.bin.gz'), packed);
  writeFileSync(join(out, 'background.json'), info);
  return packed.length;
}

async function main(): Promise<void> {
  const given = options();
  if (given === null) return console.log(USAGE);
  const { groups, packages } = await ofPackages(given);
  const { background, hosts } = composeBackground([...(await ofWeb(given)), ...groups]);
  const description =
    'Generic pages as hashed features: one idf byte a bucket, then a sample of pages. Made by datasets/background/build.ts; no text.';
  const { info, table } = encodeBackground(background, { description, extractor: given.method, hosts, packages });
  const packed = write(given.out, info, table);
  console.log(`${background.documents} pages, ${background.sample.length} sampled; ${table.length} bytes, packed ${packed}`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
