import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addBuilt, buildEach, readBuilt } from '../built-parts.ts';
import type { FetchOptions } from '../package-files.ts';
import { layOut } from './layout.ts';
import { writePages } from './store.ts';
import type { EntryWebSource } from './webs.ts';

export interface BuildOptions {
  readonly webs: readonly EntryWebSource[];
  readonly out: string;
  /** Folder searched for packages before any client is asked; null for none. */
  readonly packages: string | null;
  readonly progress?: (line: string) => void;
}

/** A web as it was built. */
export interface BuiltWeb {
  readonly origin: string;
  readonly licence: string;
  readonly pages: number;
  /** Pages on each topic. */
  readonly topics: Readonly<Record<string, number>>;
  /** Of the package, hex. */
  readonly packageSha256: string;
  /** Of the web's file, hex. */
  readonly sha256: string;
}

export type EntryManifest = Readonly<Record<string, BuiltWeb>>;

/**
 * Builds the webs below `out`, with a manifest.
 * @throws EnvironmentError when webs could not be built
 */
export async function buildEntryWebs({ webs, out, packages, progress = () => {} }: BuildOptions): Promise<EntryManifest> {
  const staging = join(out, '.staging');
  const build = async (web: EntryWebSource) => {
    const { pages, origin, topics } = await buildWeb(web, out, { staging, packages });
    return `${pages} pages of ${origin}; ${JSON.stringify(topics)}`;
  };
  try {
    await buildEach('webs', webs, build, progress);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return readBuilt<BuiltWeb>(out);
}

async function buildWeb(web: EntryWebSource, out: string, options: FetchOptions): Promise<BuiltWeb> {
  const source = await web.fetch(options);
  const pages = layOut(`${web.name}.example`, web.read(source));
  const topics = web.topics.map((topic) => [topic, pages.filter(({ labels }) => labels.includes(topic)).length]);
  const text = writePages(out, web.name, pages);
  const built: BuiltWeb = {
    origin: `${source.name} ${source.version}`,
    licence: web.licence,
    pages: pages.length,
    topics: Object.fromEntries(topics),
    packageSha256: source.sha256,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
  addBuilt(out, web.name, built);
  return built;
}
