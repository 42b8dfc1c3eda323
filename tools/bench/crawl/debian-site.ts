import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltRow, pagesOf, readManifest } from '../../../datasets/debian-web/manifest.ts';
import { diskSource } from '../../../datasets/debian-web/source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { EnvironmentError } from '../../../src/base/core/errors.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { Bytes } from '../../../src/base/core/types.ts';
import type { ServedWeb } from './server.ts';
import type { SiteOptions } from './site.ts';

const TRAINING_PAGES = 20;
/** Most pages of one host: with fewer than five hosts, a crawler that asks each for one page at a time would wait for them. */
const SHARE_OF_A_HOST = 1 / 5;
/** The last host may bring more pages than were asked for, by this share. */
const SURPLUS = 1 / 5;
/** 20,000 pages of the mean of 29 KB, and the surplus. */
const CACHE_BYTES: Bytes = 1024 ** 3;

/**
 * Whole hosts of a built Debian web, drawn by lot, with about so many pages. The topic is the subject with most pages. Other hosts answer 502.
 * @throws EnvironmentError when no web was built there, or one with too few pages
 */
export async function debianSite({ dir, pages, gzip }: SiteOptions): Promise<ServedWeb> {
  const rows = drawnRows(readManifest(dir).rows, pages);
  if (rows.length === 0)
    throw new EnvironmentError(
      `${dir}: has no five hosts or more of ${pages} pages together; ask for other --pages, or build more by npm run data -- web-build`,
    );
  const hosts = [...new Set(rows.map(({ host }) => host))];
  const source = diskSource(dir, new Set(hosts), CACHE_BYTES);
  const answers = (path: string, { host }: BuiltRow) => source.get(host, path)?.status === 200;
  const seeds = rows.map((row) => `http://${answers(row.urlPrefix, row) ? row.host + row.urlPrefix : pagesOf(dir, row)[0]}`);
  const training = trainingPages(dir, rows).map((page) => readFileSync(join(dir, page)));
  const server = await startWebProxy(source, { gzip });
  return { server, proxy: server.proxy, hosts, seeds, training };
}

/** All rows of hosts that have about `pages` pages together; none where the web has not so many. */
export function drawnRows(rows: readonly BuiltRow[], pages: number): readonly BuiltRow[] {
  const drawn: BuiltRow[] = [];
  let left = pages;
  const hosts = [...new Set(rows.map(({ host }) => host))].sort();
  for (const host of shuffled(hosts, seededRng(1))) {
    const own = rows.filter((row) => row.host === host);
    const brought = countOf(own);
    if (brought === 0 || brought > pages * SHARE_OF_A_HOST || brought > left + pages * SURPLUS) continue;
    drawn.push(...own);
    left -= brought;
    if (left <= 0) return drawn;
  }
  return [];
}

/** Of the subject with most pages, by lot, `host/path…`. */
function trainingPages(dir: string, rows: readonly BuiltRow[]): readonly string[] {
  const ofSubject = (subject: string) => rows.filter((row) => row.subject === subject);
  const subjects = [...new Set(rows.map(({ subject }) => subject))].sort();
  const [largest = ''] = subjects.sort((a, b) => countOf(ofSubject(b)) - countOf(ofSubject(a)));
  const all = ofSubject(largest).flatMap((row) => pagesOf(dir, row));
  return shuffled(all, seededRng(1)).slice(0, TRAINING_PAGES);
}

function countOf(rows: readonly BuiltRow[]): number {
  return rows.reduce((sum, row) => sum + row.pages, 0);
}
