import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addBuilt, buildEach, readBuilt } from '../built-parts.ts';
import type { FetchOptions } from '../package-files.ts';
import type { ManualSource } from './manuals.ts';
import { plainText } from './plain-text.ts';
import { readPo } from './po-file.ts';
import { sourcePackage } from './source-package.ts';
import { type ParallelEntry, writeEntries } from './store.ts';

export interface ParallelBuild {
  readonly manuals: readonly ManualSource[];
  readonly out: string;
  /** Folder that is searched for archives before apt is asked; null for none. */
  readonly packages: string | null;
  readonly progress?: (line: string) => void;
}

/** A manual as it was built. */
export interface BuiltManual {
  readonly origin: string;
  readonly licence: string;
  readonly use: ManualSource['use'];
  /** SHA-256 of the source archive, hex. */
  readonly packageSha256: string;
  /** By language: number of entries and pages, and the SHA-256 of the file. */
  readonly languages: Readonly<Record<string, { readonly entries: number; readonly pages: number; readonly sha256: string }>>;
}

/** A language with fewer finished entries is omitted. */
const MIN_ENTRIES = 200;

/**
 * Builds the manuals below `out`, with a manifest. The same packages give the same bytes.
 * @throws EnvironmentError if manuals could not be built
 */
export async function buildParallelText({
  manuals,
  out,
  packages,
  progress = () => {},
}: ParallelBuild): Promise<Readonly<Record<string, BuiltManual>>> {
  const staging = join(out, '.staging');
  const build = async (manual: ManualSource) => {
    const { languages } = await buildManual(manual, out, { staging, packages });
    return Object.entries(languages)
      .map(([lang, { entries }]) => `${lang} ${entries}`)
      .join(', ');
  };
  try {
    await buildEach('manuals', manuals, build, progress);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return readBuilt<BuiltManual>(out);
}

async function buildManual(manual: ManualSource, out: string, options: FetchOptions): Promise<BuiltManual> {
  const source = await sourcePackage(manual.name, (file) => manual.catalogues.test(file), options);
  const languages: Record<string, { entries: number; pages: number; sha256: string }> = {};
  for (const [lang, entries] of entriesByLanguage(manual, source.files)) {
    if (entries.length < MIN_ENTRIES) continue;
    const text = writeEntries(out, `${manual.name}.${lang}`, entries);
    const pages = new Set(entries.map(({ page }) => page)).size;
    languages[lang] = { entries: entries.length, pages, sha256: createHash('sha256').update(text).digest('hex') };
  }
  const { licence, use } = manual;
  const built: BuiltManual = { origin: `${source.name} ${source.version}`, licence, use, packageSha256: source.sha256, languages };
  addBuilt(out, manual.name, built);
  return built;
}

/** Entries in the order of their pages and of the text, with words on both sides. */
function entriesByLanguage({ catalogues }: ManualSource, files: ReadonlyMap<string, Buffer>): Map<string, ParallelEntry[]> {
  const byLanguage = new Map<string, ParallelEntry[]>();
  for (const name of [...files.keys()].sort()) {
    const lang = (catalogues.exec(name)?.[1] ?? '').replace('_', '-');
    const entries = byLanguage.get(lang) ?? [];
    byLanguage.set(lang, entries);
    for (const { file, source, translation } of readPo(files.get(name)?.toString('utf8') ?? '')) {
      // Catalogues that were joined have both versions of an entry on which they differ.
      if (translation.includes('#-#-#-#-#')) continue;
      const [left, right] = [plainText(source), plainText(translation)];
      if (/\p{L}/u.test(left) && /\p{L}/u.test(right)) entries.push({ page: file, left, right });
    }
  }
  for (const [lang, entries] of byLanguage) byLanguage.set(lang, byPage(entries));
  return byLanguage;
}

/** The entries of each page together, pages in the order of their first entry. */
function byPage(entries: readonly ParallelEntry[]): ParallelEntry[] {
  const pages = new Map<string, ParallelEntry[]>();
  for (const entry of entries) {
    const page = pages.get(entry.page) ?? [];
    if (page.length === 0) pages.set(entry.page, page);
    page.push(entry);
  }
  return [...pages.values()].flat();
}
