/** Words for the state of a crawl, and for each reason why a run ended: the same at the end of a run, in `status` and on the page. */
import type { StopReason } from '../../crawling/crawl/loop.ts';

const ENDS: Readonly<Record<StopReason, string>> = {
  drained: 'no URL waits',
  revisited: 'the kept pages were requested again (--revisit-only)',
  'max-pages': 'the page budget is spent',
  'max-time': 'the time was up (--max-time)',
  'low-yield': 'too few of the last visits were on topic by the model (--stop-yield)',
  recall: 'the known pages show the recall that was asked for (--stop-recall)',
  rounds: 'the rounds are over (--rounds)',
  interrupted: 'interrupted',
  'disk-full': 'the disk was nearly full (--min-free)',
  'low-memory': 'memory was nearly full',
};

/** States of a crawl that are no end of a run. */
const STATES: Readonly<Record<string, string>> = {
  opening: 'opening',
  running: 'running now',
  paused: 'paused',
  stopping: 'stopping: finishing the pages in flight',
  'perhaps-running': 'perhaps running, in another container or on another machine; the next crawl command checks',
  'running-elsewhere': 'running on several machines, as of the last gather',
  gathered: 'gathered from several machines; no worker was running',
  gathering: 'not gathered to its end, pages are missing; run the same gather command again',
  killed: 'killed; the same crawl command resumes it',
};

/** Reason why a run ended, as a clause: `the page budget is spent`. */
export function endText(reason: StopReason): string {
  return ENDS[reason];
}

/**
 * State of a crawl: `stopped: the page budget is spent`. A word that this version does not know stays itself.
 * @param state the `stopReason` of a status, or the state of a run on the page
 */
export function crawlStateText(state: string): string {
  const end = textIn(ENDS, state);
  if (end !== undefined) return `${state === 'drained' ? 'ended' : 'stopped'}: ${end}`;
  return textIn(STATES, state) ?? state;
}

function textIn(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
