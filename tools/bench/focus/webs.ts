/** The webs of the bench, each frozen once. */
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pagesOf, readManifest } from '../../../datasets/debian-web/manifest.ts';
import { isIndexPage, pagesOfManual } from '../../../datasets/debian-web/manuals.ts';
import { portalPages } from '../../../datasets/debian-web/portals.ts';
import { DEFAULT_CACHE_BYTES, diskSource } from '../../../datasets/debian-web/source.ts';
import { DEFAULT_DIR as ENTRIES_DIR, entrySource, readPages } from '../../../datasets/entry-web/store.ts';
import { freezeSource } from '../../../datasets/freeze.ts';
import type { GeneratedWebOptions } from '../../../datasets/generated-web/options.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import { firstOf, type PageSource, virtualSource } from '../../../datasets/page-source.ts';
import { UsageError } from '../../../src/base/core/errors.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';

export type WebSpec =
  | { readonly kind: 'host'; readonly host: string }
  /** The pages of a manual of the Debian web: a host and a folder, `docs.octave.org/v7/octave.html/`. No index pages. */
  | { readonly kind: 'manual'; readonly manual: string }
  /** Hosts of the Debian web, joined by generated portal pages. */
  | { readonly kind: 'portals'; readonly name: string; readonly hosts: readonly string[]; readonly seed: number }
  /** A web of datasets/entry-web: dictionaries, mails, packages. */
  | { readonly kind: 'entries'; readonly name: string }
  | { readonly kind: 'generated'; readonly options: GeneratedWebOptions };

/** Where the built webs lie. */
export interface WebFolders {
  /** The Debian web. */
  readonly web: string;
  /** The webs of entries. */
  readonly entries: string;
}

/** The webs of entries lie beside the Debian web, unless an option says otherwise. */
export function foldersOf(web: string, entries = join(dirname(web), basename(ENTRIES_DIR))): WebFolders {
  return { web, entries };
}

/** Each links to 40 pages; together they name a fifth of the pages they link into. */
const PORTALS = { portals: 8, pagesPerPortal: 10 } as const;

export function webName(spec: WebSpec): string {
  if (spec.kind === 'host') return spec.host;
  if (spec.kind === 'manual') return `manual-${spec.manual.replace(/[^\w.-]+/g, '_')}`;
  if (spec.kind === 'entries') return `entries-${spec.name}`;
  if (spec.kind === 'portals') return `portals-${spec.name}`;
  return `generated-${Object.entries(spec.options)
    .map(([knob, value]) => `${knob}-${JSON.stringify(value)}`)
    .join('-')
    .replace(/[^\w.-]+/g, '_')}`;
}

/** A web out of `cache`, frozen into it when it is not there yet. */
export async function openWeb(spec: WebSpec, folders: WebFolders, cache: string): Promise<FrozenWeb> {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${webName(spec)}.jsonl.gz`);
  if (!existsSync(file)) freeze(spec, folders, file);
  return FrozenWeb.open(file);
}

function freeze(spec: WebSpec, { web: dir, entries }: WebFolders, file: string): void {
  process.stderr.write(`freezing ${webName(spec)}\n`);
  if (spec.kind === 'generated') {
    const web = generateWeb(spec.options);
    freezeSource(web.source, [...web.urls()], file, 2 * web.urls().length);
    return;
  }
  if (spec.kind === 'entries') {
    const pages = readPages(entries, spec.name);
    freezeSource(
      entrySource(pages),
      pages.map(({ url }) => url),
      file,
    );
    return;
  }
  if (spec.kind === 'manual') {
    const pages = pagesOfManual(dir, spec.manual).filter((page) => !isIndexPage(page));
    if (pages.length === 0) throw new UsageError(`${dir} has no pages of ${spec.manual}; run npm run data -- web-build first`);
    freezeSource(manualSource(spec.manual, dir), asUrls(pages), file);
    return;
  }
  const hosts = spec.kind === 'host' ? [spec.host] : spec.hosts;
  const pages = readManifest(dir)
    .rows.filter(({ host }) => hosts.includes(host))
    .flatMap((row) => pagesOf(dir, row));
  if (pages.length === 0) throw new UsageError(`${dir} has no pages of ${hosts.join(', ')}; run npm run data -- web-build first`);
  const portals = spec.kind === 'portals' ? portalPages({ dir, only: hosts, seed: spec.seed, ...PORTALS }) : new Map();
  const starts = asUrls([...portals.keys(), ...pages]);
  freezeSource(firstOf([diskSource(dir, new Set(hosts), DEFAULT_CACHE_BYTES), virtualSource(portals)]), starts, file);
}

/** Nothing is known of URLs outside the manual, and of its index: no crawl follows links to them. */
function manualSource(manual: string, dir: string): PageSource {
  const host = manual.slice(0, manual.indexOf('/'));
  const source = diskSource(dir, new Set([host]), DEFAULT_CACHE_BYTES);
  const isInside = (page: string) => page.startsWith(manual) && !isIndexPage(page);
  return { get: (of, path) => (isInside(`${of}${path.replace(/[?#].*$/, '')}`) ? source.get(of, path) : null) };
}

function asUrls(pages: readonly string[]): string[] {
  return pages.map((page) => `http://${page}${page.includes('/') ? '' : '/'}`);
}
