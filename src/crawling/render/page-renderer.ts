import { EnvironmentError } from '../../base/core/errors.ts';
import { type RenderCost, type RenderTrouble, withDocument } from '../../base/core/rendering.ts';
import type { FetchedPage } from '../../base/core/types.ts';
import { Browser, type SharedBrowserOptions } from './browser.ts';
import { PageAnswers } from './page-answers.ts';
import { renderPage } from './page-rendering.ts';
import { type ResourceParts, ResourceSource } from './resource-source.ts';

/** A page after its scripts. */
export interface RenderedPage {
  /** The page with the rendered document as its body; null if it stands as the server sent it. */
  readonly page: FetchedPage | null;
  readonly trouble: RenderTrouble | null;
  readonly cost: RenderCost;
  /** The responses that its scripts got. */
  readonly resources: readonly FetchedPage[];
  readonly robots: PageAnswers['robots'];
}

/** The result for a page whose browser could not be replaced. */
const CRASHED = { html: null, trouble: 'render-crash' } as const;

/** Renders pages that were fetched. The browser has no network: the fetcher answers its requests. */
export class PageRenderer {
  readonly #browser: Browser;
  readonly #source: ResourceSource;
  /** Pages that are open or wait for their turn. */
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  constructor(options: SharedBrowserOptions, parts: ResourceParts) {
    [this.#browser, this.#source] = [new Browser(options), new ResourceSource(parts)];
  }

  /** Renders one page, in 15 s at most when its turn has come. @throws EnvironmentError if the first browser does not start; an AbortError if it is closed meanwhile */
  async render(page: FetchedPage): Promise<RenderedPage> {
    const end = new AbortController();
    if (this.#isClosed) end.abort();
    this.#open.add(end);
    try {
      return await this.#rendered(page, end.signal);
    } finally {
      this.#open.delete(end);
      // Requests that are open end with the page: its host may be asked again.
      end.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#open) end.abort();
    await this.#browser.close();
  }

  async #rendered(page: FetchedPage, signal: AbortSignal): Promise<RenderedPage> {
    const answers = new PageAnswers(this.#source, page, signal);
    let startedAt = performance.now();
    const rendering = this.#browser.page((browser) => {
      startedAt = performance.now();
      return renderPage(browser, page, answers, signal);
    }, signal);
    const { html, trouble } = await rendering.catch((error: unknown) => {
      if (error instanceof EnvironmentError && this.#browser.hasStarted) return CRASHED;
      throw error;
    });
    const cost = { ms: Math.round(performance.now() - startedAt), ...answers.cost };
    return { page: html && withDocument(page, html), trouble, cost, resources: answers.used, robots: answers.robots };
  }
}
