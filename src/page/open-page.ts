/** The page of a crawl directory: its server, and the process that reads for it. */
import { UsageError } from '../core/errors.ts';
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import type { Ms } from '../core/types.ts';
import { CrawlReader } from './crawl-reader.ts';
import { type PageAddress, PageServer } from './page-server.ts';
import type { RunInHand } from './run-in-hand.ts';

export interface PageOptions {
  /** Crawl directory. */
  readonly dir: string;
  /** `PORT` on loopback, or `HOST:PORT`; port 0 takes a free port. */
  readonly address: string;
  /** The run of this process; null if there is none. */
  readonly run: RunInHand | null;
}

export interface OpenPage {
  /** The address to open, with the token that lets a browser in. */
  readonly url: string;
  /** Takes events of the run, as an `Emit`. */
  take(event: CrawlEvent): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Open pages ask anew at most so often. */
const TOLD: Ms = 1000;
const LOOPBACK = '127.0.0.1';

/** @throws UsageError for an address that is none; EnvironmentError if the server cannot listen on it */
export async function openPage({ dir, address, run }: PageOptions): Promise<OpenPage> {
  const reader = new CrawlReader(dir);
  const server = await PageServer.open({ dir, reader, run }, addressOf(address));
  let isNew = false;
  const tell = setInterval(() => {
    if (isNew) server.changed();
    isNew = false;
  }, TOLD).unref();
  return {
    url: server.url,
    take: ({ type }) => {
      if (type === 'committed' || type === 'asked' || type === 'retrained') isNew = true;
    },
    async close() {
      clearInterval(tell);
      await Promise.all([server.close(), reader.close()]);
    },
  };
}

/** @throws UsageError */
function addressOf(text: string): PageAddress {
  const [, host, port] = /^(?:(\[[0-9A-Fa-f:.]+\]|[\w.-]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--page ${text}: not a port; write e.g. 9465 (on loopback), or 0.0.0.0:9465`);
  return { host: host?.replace(/^\[|\]$/g, '') ?? LOOPBACK, port: Number(port) };
}
