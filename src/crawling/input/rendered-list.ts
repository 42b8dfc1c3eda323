/** Pages of a list that a browser renders: the rendered document takes the place of the page, where it is better. */
import type { PageReader, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { RenderChoice, RenderedVisit } from '../../base/core/rendering.ts';
import type { FetchedPage } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { NO_TEXT } from '../crawl/page-records.ts';
import { findBrowser, NO_SANDBOX, refuseRootSandbox } from '../render/find-browser.ts';
import { type AnsweringParts, type BrowserChoice, openRenderer } from '../render/machine-renderer.ts';
import { RenderHabits } from '../render/render-habits.ts';
import { RenderingReader } from '../render/rendering-reader.ts';

/** Refuses a browser that this machine does not have. @returns warnings. @throws UsageError */
export function checkBrowser({ sandbox = true, ...choice }: BrowserChoice): readonly string[] {
  findBrowser(choice);
  refuseRootSandbox(!sandbox);
  return sandbox ? [] : [NO_SANDBOX];
}

/**
 * A reader of all pages of a list, which says of each that it is wanted.
 * @param all the outcome of such a page @param tell receives the trouble of a rendering
 * @throws UsageError if the machine has no browser
 */
export function renderingListReader(
  render: Exclude<RenderChoice, 'never'>,
  choice: BrowserChoice,
  parts: AnsweringParts,
  all: Extract<ReadOutcome, { kind: 'read' }>,
  tell: (page: FetchedPage, visit: RenderedVisit) => void,
): PageReader {
  const reader = new RenderingReader(extractingReader(), openRenderer(choice, 1, parts), render, new RenderHabits());
  return {
    async read(page) {
      const outcome = await reader.read(page);
      const rendering = outcome.kind === 'read' ? outcome.rendering : undefined;
      if (rendering !== undefined) tell(page, rendering.visit);
      return { ...all, ...(rendering && { rendering }) };
    },
    close: () => reader.close(),
  };
}

/** Text and links of a page, which tell whether its rendered document is better. */
function extractingReader(): PageReader {
  const extractor = pageExtractor({ productToken: PRODUCT_TOKEN });
  return {
    async read(page) {
      const { outlinks, ...extraction } = extractor.extract(page);
      return { kind: 'read', extraction, links: outlinks.map(({ url }) => ({ url, text: NO_TEXT })), relevance: 0 };
    },
    close: async () => undefined,
  };
}
