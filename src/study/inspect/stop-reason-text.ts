/** Readable text for each `stopReason` of a status: the reason why a crawl is not running, or that it runs. */
export const STOP_REASON_TEXT: Readonly<Record<string, string>> = {
  running: 'running now',
  'perhaps-running': 'perhaps running, in another container or on another machine; the next crawl command checks',
  drained: 'ended: no URL waits',
  revisited: 'stopped: the kept pages were requested again (--revisit-only)',
  'max-pages': 'stopped: the page budget is spent',
  'max-time': 'stopped: the time was up',
  'low-yield': 'stopped: too few of the last visits were on topic by the model',
  interrupted: 'stopped: interrupted',
  'disk-full': 'stopped: the disk was nearly full',
  'low-memory': 'stopped: memory was nearly full',
  'running-elsewhere': 'running on several machines, as of the last gather',
  gathered: 'gathered from several machines; no worker was running',
  gathering: 'not gathered to its end, pages are missing; run the same gather command again',
  killed: 'killed; the same crawl command resumes it',
};
