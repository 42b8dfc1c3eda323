/** `train --check-site`: random pages of the examples' hosts, and a question about each, before there is a crawl. */

import { EXIT } from '../../base/core/errors.ts';
import { failureText } from '../../base/core/failure-words.ts';
import { countText } from '../../base/text/number-text.ts';
import { sentence } from '../../base/text/sentence.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { crawlStateText } from '../../study/inspect/stop-reason-text.ts';
import type { CrawlReport } from '../app/crawl-options.ts';
import { given, type NetworkOptions, networkOf, warn } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { Progress, rateAndEta } from './progress.ts';
import { labelPages } from './runs/label.ts';

/** Number of seeds without a page to name. */
const LOST = 5;

export interface SiteCheck extends NetworkOptions {
  /** Folder of the model. */
  readonly out: string;
  readonly rngSeed?: number | undefined;
  /** Shows the pages and results on standard error. */
  readonly json?: boolean | undefined;
  /** Replaces an earlier check. */
  readonly force?: boolean | undefined;
}

/** The end of a check. */
export interface Checked {
  readonly exitCode: number;
  /** Card of the model that the answers trained; null if none is better than the first. */
  readonly card: ModelCard | null;
}

/** Visits the sites, asks, trains with the answers, and replaces the model by that one. Continues an earlier run. */
export async function checkSites(check: SiteCheck): Promise<Checked> {
  const { adoptChecked, CHECKED_PAGES, checkDirectory } = await import('../app/check-site.ts');
  const { json, rngSeed, out } = check;
  const { stopReason, counts, lostSeeds } = await visited(check);
  if (stopReason === 'interrupted') return stopped(EXIT.interrupted, `${out}: is trained and not checked; the same command continues`);
  if (counts.kept + counts.offTopic === 0) {
    for (const { url, reason, status } of lostSeeds.slice(0, LOST)) warn(`${url}: ${failureText(reason, status)} (${reason})`);
    return stopped(EXIT.noPage, `${out}: is trained and not checked: no page of its sites could be read`);
  }
  const exitCode = await labelPages({ dir: checkDirectory(out), count: CHECKED_PAGES, ...given({ json, rngSeed }) });
  if (exitCode !== EXIT.done) return stopped(exitCode, `${out}: the answers are stored; the same command continues`);
  return { exitCode, card: await adoptChecked(out) };
}

function stopped(exitCode: number, why: string): Checked {
  warn(why);
  return { exitCode, card: null };
}

async function visited({ out, force = false, rngSeed, ...network }: SiteCheck): Promise<CrawlReport> {
  const { CHECKED_PAGES, visitSites } = await import('../app/check-site.ts');
  const interrupt = onInterrupt(`${sentence(crawlStateText('stopping'))} Press Ctrl-C again to stop at once.`);
  const startedAt = Date.now();
  let progress: Progress | null = null;
  try {
    return await visitSites({
      model: out,
      replace: force,
      ...networkOf(network),
      ...given({ rngSeed }),
      signal: interrupt.signal,
      onStart: ({ counts }) => {
        const before = counts().visited;
        const line = (done: number) =>
          `visited ${countText(before + done)} of ${CHECKED_PAGES} random pages of the examples' sites; ${rateAndEta(done, CHECKED_PAGES - before, Date.now() - startedAt)}`;
        progress = new Progress(() => line(counts().visited - before));
      },
      onEvent: (event) => {
        if (event.type === 'warning') warn(event.message);
      },
    });
  } finally {
    closeOf(progress);
    interrupt.close();
  }
}

/** TypeScript does not see assignments made in callbacks. */
function closeOf(progress: Progress | null): void {
  progress?.close();
}
