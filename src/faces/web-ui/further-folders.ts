/** Folders beside the crawl of a page: other crawls, and evaluations. */

import { join } from 'node:path';
import { CrawlerError, DataError, messageOf } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { harvestCurve, recallCurve } from '../../study/eval/curves-svg.ts';
import { evaluationIn } from '../../study/eval/evaluation-file.ts';
import { type Evaluation, evaluationReport } from '../../study/eval/report.ts';
import { resultsOf } from '../../study/eval/tables.ts';
import type { CurveLine } from './curve.ts';
import type { OpenedCrawl } from './opened-crawl.ts';
import { RpcChild } from './rpc-child.ts';

/** File name that `forager eval` writes. */
const RESULTS = 'results.json';

/** @throws UsageError or DataError for a folder that is neither */
export function furtherFolders(folders: readonly string[]): Pick<OpenedCrawl, 'others' | 'evaluations'> {
  const isEvaluation = (folder: string) => isThere(join(folder, RESULTS));
  const crawls = folders.filter((folder) => !isEvaluation(folder));
  for (const dir of crawls) readManifest(dir);
  return {
    others: crawls.map((dir) => ({ dir, reader: new RpcChild(dir, 'readings') })),
    evaluations: folders.filter(isEvaluation).map((folder) => join(folder, RESULTS)),
  };
}

export interface ReadEvaluation {
  /** Report in Markdown, as `forager eval` writes it. */
  readonly report: string;
  /** Curves by hundredths of the budget. */
  readonly harvest: readonly CurveLine[];
  readonly recall: readonly CurveLine[];
}

/** @throws DataError for a file that is not an evaluation of this version */
export function readEvaluation(path: string): ReadEvaluation {
  try {
    const evaluation = evaluationIn(path);
    return { report: evaluationReport(evaluation), harvest: linesOf(evaluation, harvestCurve), recall: linesOf(evaluation, recallCurve) };
  } catch (error) {
    if (error instanceof CrawlerError) throw error;
    throw new DataError(
      `${path}: is not an evaluation of this version (${messageOf(error)}); write it again with ${foragerCommand('eval')}`,
      {
        cause: error,
      },
    );
  }
}

function linesOf({ strategies, results }: Evaluation, curve: typeof harvestCurve): CurveLine[] {
  return strategies.map((name) => ({ name, points: curve(resultsOf(name, results)).map((share, i): [number, number] => [i + 1, share]) }));
}
