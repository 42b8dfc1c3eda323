/** The renderer of this machine, for a crawl or for a list of pages. */
import { systemClock } from '../../base/core/clock.ts';
import { findBrowser } from './find-browser.ts';
import { PageRenderer } from './page-renderer.ts';
import type { ResourceParts } from './resource-source.ts';

/** Options about the browser of this machine. */
export interface BrowserChoice {
  /** Default: the first that `findBrowser` finds. */
  readonly browser?: string;
  /** Default: true. */
  readonly sandbox?: boolean;
}

/** The parts that answer the requests of a rendered page. */
export type AnsweringParts = Omit<ResourceParts, 'clock'>;

/** The browser starts with the first page. @param concurrency pages at once. @throws UsageError if the machine has none */
export function openRenderer({ sandbox = true, ...choice }: BrowserChoice, concurrency: number, parts: AnsweringParts): PageRenderer {
  return new PageRenderer({ path: findBrowser(choice), noSandbox: !sandbox, concurrency }, { ...parts, clock: systemClock });
}
