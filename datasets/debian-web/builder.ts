import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError, messageOf } from '../../src/base/core/errors.ts';
import { candidateVersion, type DebFile, debIn, downloadDeb, MissingToolError, sha256Of, unpackHtml } from './deb.ts';
import { type HostRow, rowId } from './hosts.ts';
import { type LaidPage, layOut, type PackageTree } from './layout.ts';
import { allNamesOf, type BuiltRow, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { nearestToIndex } from './nearest.ts';

export interface BuildOptions {
  readonly rows: readonly HostRow[];
  readonly out: string;
  /** At most this many pages a row; null for all. */
  readonly cap: number | null;
  /** Folder searched for .deb files before apt is asked; null for none. */
  readonly debs: string | null;
  /** Only rows whose .deb is in `debs`; apt is not asked. */
  readonly offline?: boolean;
  readonly progress?: (line: string) => void;
}

/**
 * Lay out the pages of the rows below `out`. A row already there at the same package version and cap is left alone.
 * A package that cannot be had does not stop the others: it is named in the error at the end.
 * @throws EnvironmentError without dpkg-deb or apt, or when packages could not be had; DataError for a damaged archive.
 */
export async function buildDebianWeb(options: BuildOptions): Promise<Manifest> {
  const failures: string[] = [];
  const packages = new Map<string, HostRow[]>();
  for (const row of options.rows) packages.set(row.package, [...(packages.get(row.package) ?? []), row]);
  let at = 0;
  for (const [name, rows] of packages) {
    at += 1;
    const say = (text: string) => options.progress?.(`[${at}/${packages.size}] ${name}: ${text}`);
    try {
      await buildPackage(name, rows, options, say);
    } catch (error) {
      if (!(error instanceof EnvironmentError) || error instanceof MissingToolError) throw error;
      failures.push(name);
      say(messageOf(error));
    }
  }
  rmSync(join(options.out, '.staging'), { recursive: true, force: true });
  if (failures.length > 0) throw new EnvironmentError(`packages not built: ${failures.join(', ')}; see the lines above`);
  return readManifest(options.out);
}

async function buildPackage(name: string, rows: readonly HostRow[], options: BuildOptions, say: (text: string) => void): Promise<void> {
  const local = options.debs === null ? null : await debIn(options.debs, name);
  if (local === null && options.offline === true) return say('no .deb at hand, left out');
  const version = local?.version ?? (await candidateVersion(name));
  const manifest = readManifest(options.out);
  const missing = rows.filter((row) => !isBuilt(row, version, options.cap, manifest));
  if (missing.length === 0) return say(`${version} is laid out already`);
  const started = performance.now();
  const staging = join(options.out, '.staging');
  rmSync(staging, { recursive: true, force: true });
  if (local === null) say(`downloading ${version}`);
  const deb = local ?? (await downloadDeb(name, join(staging, 'debs')));
  const tree = await unpackHtml(deb.file, join(staging, 'files'));
  const built = await buildRows(missing, tree, deb, options);
  const ids = new Set(built.map(rowId));
  writeManifest(options.out, [...manifest.rows.filter((row) => !ids.has(rowId(row))), ...built]);
  rmSync(staging, { recursive: true, force: true });
  const pages = built.reduce((sum, row) => sum + row.pages, 0);
  say(`${deb.version}, ${pages} pages, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function isBuilt(row: HostRow, version: string, cap: number | null, manifest: Manifest): boolean {
  const built = manifest.rows.find((other) => rowId(other) === rowId(row));
  return built !== undefined && built.version === version && built.cap === cap && built.path === row.path;
}

async function buildRows(rows: readonly HostRow[], tree: PackageTree, deb: DebFile, options: BuildOptions): Promise<readonly BuiltRow[]> {
  const debSha256 = await sha256Of(deb.file);
  const built: BuiltRow[] = [];
  for (const row of rows) {
    removeOld(row, options.out);
    const layout = layOut(row, tree);
    const pages = capped(layout.pages, options);
    const bytes = pages.reduce((sum, page) => sum + put(page, options.out), 0);
    const from = new Set(pages.map((page) => page.from));
    const aliases = layout.aliases.filter((alias) => from.has(alias.from));
    for (const alias of aliases) put(alias, options.out);
    const list = join('.rows', `${rowId(row)}.txt`);
    mkdirSync(join(options.out, '.rows'), { recursive: true });
    writeFileSync(join(options.out, list), [...pages, ...aliases].map((page) => `${page.to}\n`).join(''));
    const counts = { pages: pages.length, aliases: aliases.length, bytes, droppedLinks: layout.droppedLinks.length };
    built.push({ ...row, version: deb.version, debSha256, cap: options.cap, ...counts, list });
  }
  return built;
}

/** Pages of an older version that the newer one may not have. */
function removeOld(row: HostRow, out: string): void {
  const old = readManifest(out).rows.find((other) => rowId(other) === rowId(row));
  if (old === undefined) return;
  for (const page of allNamesOf(out, old)) rmSync(join(out, page), { force: true });
}

function capped(pages: readonly LaidPage[], options: BuildOptions): readonly LaidPage[] {
  if (options.cap === null) return pages;
  const source = new Map(pages.map((page) => [page.to, page.from]));
  const read = (page: string) => readFileSync(staged(options.out, source.get(page) ?? ''), 'latin1');
  const kept = nearestToIndex(
    pages.map((page) => page.to),
    options.cap,
    read,
  );
  return pages.filter((page) => kept.has(page.to));
}

/** @returns bytes of the page */
function put(page: LaidPage, out: string): number {
  const from = staged(out, page.from);
  const to = join(out, page.to);
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true });
  linkSync(from, to);
  return statSync(to).size;
}

function staged(out: string, name: string): string {
  return join(out, '.staging', 'files', name);
}
