/** The webs of the bench, each frozen once. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf, readManifest } from '../../../datasets/debian-web/manifest.ts';
import { portalPages } from '../../../datasets/debian-web/portals.ts';
import { DEFAULT_CACHE_BYTES, diskSource } from '../../../datasets/debian-web/source.ts';
import { freezeSource } from '../../../datasets/freeze.ts';
import type { GeneratedWebOptions } from '../../../datasets/generated-web/options.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import { firstOf, virtualSource } from '../../../datasets/page-source.ts';
import { UsageError } from '../../../src/core/errors.ts';
import { FrozenWeb } from '../../../src/corpus/frozen-web.ts';

export type WebSpec =
  | { readonly kind: 'host'; readonly host: string }
  /** Hosts of the Debian web, joined by generated portal pages. */
  | { readonly kind: 'portals'; readonly name: string; readonly hosts: readonly string[]; readonly seed: number }
  | { readonly kind: 'generated'; readonly options: GeneratedWebOptions };

/** Each links to 40 pages; together they name a fifth of the pages they link into. */
const PORTALS = { portals: 8, pagesPerPortal: 10 } as const;

export function webName(spec: WebSpec): string {
  if (spec.kind === 'host') return spec.host;
  if (spec.kind === 'portals') return `portals-${spec.name}`;
  return `generated-${Object.entries(spec.options)
    .map(([knob, value]) => `${knob}-${JSON.stringify(value)}`)
    .join('-')
    .replace(/[^\w.-]+/g, '_')}`;
}

/** A web out of `cache`, frozen into it when it is not there yet. @param dir a built Debian web */
export async function openWeb(spec: WebSpec, dir: string, cache: string): Promise<FrozenWeb> {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${webName(spec)}.jsonl.gz`);
  if (!existsSync(file)) freeze(spec, dir, file);
  return FrozenWeb.open(file);
}

function freeze(spec: WebSpec, dir: string, file: string): void {
  process.stderr.write(`freezing ${webName(spec)}\n`);
  if (spec.kind === 'generated') {
    const web = generateWeb(spec.options);
    freezeSource(web.source, [...web.urls()], file, 2 * web.urls().length);
    return;
  }
  const hosts = spec.kind === 'host' ? [spec.host] : spec.hosts;
  const pages = readManifest(dir)
    .rows.filter(({ host }) => hosts.includes(host))
    .flatMap((row) => pagesOf(dir, row));
  if (pages.length === 0) throw new UsageError(`${dir} has no pages of ${hosts.join(', ')}; run npm run data -- web-build first`);
  const portals = spec.kind === 'portals' ? portalPages({ dir, only: hosts, seed: spec.seed, ...PORTALS }) : new Map();
  const starts = [...portals.keys(), ...pages].map((page) => `http://${page}${page.includes('/') ? '' : '/'}`);
  freezeSource(firstOf([diskSource(dir, new Set(hosts), DEFAULT_CACHE_BYTES), virtualSource(portals)]), starts, file);
}
