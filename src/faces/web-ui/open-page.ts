/** The page of a crawl directory, or of a folder in which a crawl shall begin: its server, and the processes that work for it. */

import { systemClock } from '../../base/core/clock.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Environment } from '../../base/text/written-file.ts';
import { isCrawlIn, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { listenAddress } from '../../crawling/monitor/listen.ts';
import { Monitor } from '../../crawling/monitor/monitor.ts';
import { PAGE_PORT } from '../../crawling/settings/settings.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { furtherFolders } from './further-folders.ts';
import type { InProcessRun } from './in-process-run.ts';
import { closePlace, openPlace, type PlaceOptions } from './opened-crawl.ts';
import { PageServer } from './page-server.ts';
import { Project } from './project.ts';
import type { MachineOptions } from './run-service.ts';

export interface OpenPageOptions {
  /** Crawl directory; without a crawl and a run: the folder of a project, which may be empty. */
  readonly dir: string;
  /** `PORT` on loopback, or `HOST:PORT`; port 0 takes a free port. */
  readonly address: string;
  /** Further crawl directories, and folders of forager eval, to compare with. Default: none. */
  readonly others?: readonly string[];
  /** The run of this process; null if there is none. */
  readonly run: InProcessRun | null;
  /** Options of this machine for the runs that the page starts. Default: as the crawl or its file of options has them. */
  readonly machine?: MachineOptions;
  /** Environment for variables in files of options. Default: none. */
  readonly environment?: Environment;
}

export interface OpenPage {
  /** The address to open, with the token that lets a browser in. */
  readonly url: string;
  /** Monitor of the run; null if there is none. */
  readonly monitor: Monitor | null;
  /** Takes events of the run, as an `Emit`. */
  take(event: CrawlEvent): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** @throws UsageError for an invalid address, or a folder that is neither crawl nor evaluation; EnvironmentError if the server cannot listen on it */
export async function openPage({ dir, address, run, others = [], environment = {}, machine = {} }: OpenPageOptions): Promise<OpenPage> {
  const at = listenAddress('--page', address, PAGE_PORT);
  const monitor = run === null ? null : new Monitor(systemClock);
  const beside = furtherFolders(others);
  const options: PlaceOptions = {
    ...beside,
    ...{ environment, monitor, machine, port: at.port },
    changed: () => news.some(),
  };
  const project = run === null && !isCrawlIn(dir) ? new Project(dir, options) : null;
  if (project === null && run === null) readManifest(dir);
  const fixed = project === null ? openPlace(dir, run, options) : null;
  const place = () => fixed ?? project?.place() ?? null;
  const server = await PageServer.open({ project, place }, at);
  const news = new ChangeNotifier(place, () => server.changed());
  return {
    url: server.url,
    monitor,
    take: ({ type }) => {
      if (type === 'committed') news.visits();
      if (type === 'asked' || type === 'retrained') news.some();
    },
    async close() {
      news.close();
      monitor?.close();
      await Promise.all([
        server.close(),
        fixed && closePlace(fixed),
        project?.close(),
        ...beside.others.map(({ reader }) => reader.close()),
      ]);
    },
  };
}
