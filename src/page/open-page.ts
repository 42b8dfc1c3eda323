/** The page of a crawl directory: its server, and the process that reads for it. */
import { systemClock } from '../core/clock.ts';
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import type { Ms } from '../core/types.ts';
import { listenAddress } from '../monitor/listen.ts';
import { Monitor } from '../monitor/monitor.ts';
import { AskedProcess } from './asked-process.ts';
import { BackgroundJobs } from './background-jobs.ts';
import { besides } from './further-folders.ts';
import { NewestSurvey } from './newest-survey.ts';
import { PageServer } from './page-server.ts';
import { fetches } from './place.ts';
import type { RunInHand } from './run-in-hand.ts';

export interface PageOptions {
  /** Crawl directory. */
  readonly dir: string;
  /** `PORT` on loopback, or `HOST:PORT`; port 0 takes a free port. */
  readonly address: string;
  /** Further crawl directories, and folders of forager eval, to compare with. Default: none. */
  readonly others?: readonly string[];
  /** The run of this process; null if there is none. */
  readonly run: RunInHand | null;
}

export interface OpenPage {
  /** The address to open, with the token that lets a browser in. */
  readonly url: string;
  /** For the `monitor` of the run; null if there is none. */
  readonly monitor: Monitor | null;
  /** Takes events of the run, as an `Emit`. */
  take(event: CrawlEvent): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Open pages ask again at most so often. */
const TOLD: Ms = 1000;
/** In messages, and the default of `forager open`. */
export const PAGE_PORT = 9465;

/** @throws UsageError for an address that is none, or a folder that is neither crawl nor evaluation; EnvironmentError if the server cannot listen on it */
export async function openPage({ dir, address, run, others = [] }: PageOptions): Promise<OpenPage> {
  const at = listenAddress('--page', address, PAGE_PORT);
  const [reader, desk] = [new AskedProcess(dir, 'readings'), new AskedProcess(dir, 'desk')];
  const monitor = run === null ? null : await Monitor.open(systemClock);
  const beside = besides(others);
  const survey = new NewestSurvey((given) => reader.ask('survey', given), systemClock);
  /** Of visits there is something to show when they are counted again; anything else is shown at once. */
  const isDue = () => !fetches({ run }) || survey.isDue;
  let [isNew, hasVisits] = [false, false];
  const jobs = new BackgroundJobs(dir, () => {
    isNew = true;
  });
  const server = await PageServer.open({ dir, reader, survey, desk, run, monitor, jobs, ...beside }, at);
  const tell = setInterval(() => {
    if (!isNew && !(hasVisits && isDue())) return;
    server.changed();
    [isNew, hasVisits] = [false, false];
  }, TOLD).unref();
  return {
    url: server.url,
    monitor,
    take: ({ type }) => {
      if (type === 'committed') hasVisits = true;
      if (type === 'asked' || type === 'retrained') isNew = true;
    },
    async close() {
      clearInterval(tell);
      monitor?.close();
      await Promise.all([
        server.close(),
        reader.close(),
        desk.close(),
        jobs.close(),
        ...beside.others.map((other) => other.reader.close()),
      ]);
    },
  };
}
