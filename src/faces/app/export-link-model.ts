/** Exports the link model of a crawl's apprentice. */

import { UsageError } from '../../base/core/errors.ts';
import { VERSION } from '../../base/core/version.ts';
import { FILE_OUTPUT, publishFile, withOutput } from '../../base/disk/output.ts';
import { crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { resumeLinkScorer } from '../../crawling/crawl-dir/crawl-scorer.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { Apprentice } from '../../reading/links/apprentice.ts';
import { encodeLinkModel, type LinkWeights } from '../../reading/links/link-model-file.ts';

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
  const { dir, out, force } = options;
  readManifest(dir);
  return withOutput(out, FILE_OUTPUT, { force }, async (output) => {
    const learned = await learnedIn(dir);
    await publishFile(output, encodeLinkModel(learned, `forager/${VERSION}`));
    return { out, lessons: learned.lessons, features: learned.weights.filter((weight) => weight !== 0).length };
  });
}

/** @throws UsageError for a crawl by another strategy; DataError, StoreError */
async function learnedIn(dir: string): Promise<LinkWeights> {
  const crawl = openCrawl(dir);
  try {
    const scorer = resumeLinkScorer(crawl.manifest, crawlPaths(dir), crawl.frontier);
    if (scorer instanceof Apprentice) return scorer.linkModel();
    throw new UsageError(`${dir}: was crawled by ${scorer.strategy}; only a crawl by the apprentice has a link model`);
  } finally {
    await crawl.close();
  }
}
