/** Exports the link model of a crawl's apprentice. */

import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import { isThere } from '../core/on-disk.ts';
import { VERSION } from '../core/version.ts';
import { crawlPaths } from '../crawl-dir/crawl-directory.ts';
import { resumeLinkScorer } from '../crawl-dir/crawl-scorer.ts';
import { makeDirectory, refuseFileInPath } from '../crawl-dir/directories.ts';
import { openCrawl } from '../crawl-dir/open-crawl.ts';
import { Apprentice } from '../links/apprentice.ts';
import { encodeLinkModel } from '../links/link-model-file.ts';
import { checkOptions, type OptionTable, without } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';

export interface LinkModelOptions {
  /** Crawl directory; the crawl may be running. */
  readonly dir: string;
  /** File to write. */
  readonly out: string;
  /** Replace an existing file. Default false. */
  readonly force?: boolean;
}

const LINK_MODEL: OptionTable<LinkModelOptions> = without(checksOf(COMMANDS['link-model']), 'json');

export interface LinkModelReport {
  readonly out: string;
  /** Pages that it was learned from, including those of the link model the crawl started with. */
  readonly lessons: number;
  /** Features with a weight. */
  readonly features: number;
}

/** See `exportLinkModel` of the library. */
export async function exportLinkModel(options: LinkModelOptions): Promise<LinkModelReport> {
  checkOptions('exportLinkModel', LINK_MODEL, options, 'dir', 'out');
  const { dir, out, force = false } = options;
  refuseFileInPath(dirname(out));
  if (isThere(out) && !force)
    throw new UsageError(`${out}: already exists; give another --out, or see in forager link-model --help how to replace it`);
  const crawl = openCrawl(dir);
  try {
    const scorer = resumeLinkScorer(crawl.manifest, crawlPaths(dir), crawl.frontier);
    if (!(scorer instanceof Apprentice))
      throw new UsageError(`${dir}: was crawled by ${scorer.strategy}; only a crawl by the apprentice has a link model`);
    const learned = scorer.linkModel();
    makeDirectory(dirname(out));
    write(out, encodeLinkModel(learned, `forager/${VERSION}`));
    return { out, lessons: learned.lessons, features: learned.weights.filter((weight) => weight !== 0).length };
  } finally {
    await crawl.close();
  }
}

function write(out: string, bytes: Uint8Array): void {
  try {
    writeFileSync(`${out}.tmp`, bytes);
    renameSync(`${out}.tmp`, out);
  } catch (error) {
    throw storeErrorFrom(error, 'writing the link model', out);
  }
}
