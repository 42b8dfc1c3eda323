/** One page in the browser: its scripts run, each request of theirs is answered by the crawl, and the settled document is taken. */
import type { RenderTrouble } from '../../base/core/rendering.ts';
import type { Bytes, FetchedPage, Ms } from '../../base/core/types.ts';
import type { BrowserProcess, OpenedTarget } from './browser-process.ts';
import { CdpError, type CdpEvent, type CdpObject, cdpText, isObject } from './cdp-pipe.ts';
import type { PageAnswers } from './page-answers.ts';
import { PageRequests, WATCH_ALL } from './page-requests.ts';
import { fixesFor, MEASURE, SCROLL } from './page-scripts.ts';

/** The result of a rendering. Without `html` the page stands as the server sent it. */
export interface Rendered {
  /** Serialised document, UTF-8. */
  readonly html: Uint8Array | null;
  /** null if the page settled. */
  readonly trouble: RenderTrouble | null;
}

/** Longest time of a page until its document is taken, on the clock of this machine. */
export const MAX_RENDER_TIME: Ms = 10_000;
/** Time for the last questions, and for closing. */
const LAST_TIME: Ms = 2000;
/** Steps of the page's own clock, which stands while requests are open: three seconds for late texts, then up to ten. */
const STEPS: readonly Ms[] = [500, 500, 1000, 1000, 1000, 1000, 1000, 1000, 1500, 1500];
/** Steps before a page can be settled. */
const LEAST_STEPS = 4;
/** Tasks after which the clock is moved on, though they start others without end. */
const MAX_TASKS = 100_000;
/** Largest document that is taken: the largest body of a page. */
const MAX_HTML: Bytes = 16 * 2 ** 20;
/** Elements of a document of that size. */
const MAX_ELEMENTS = 200_000;
const MAX_MEMORY: Bytes = 1.5 * 2 ** 30;
/** A look takes a millisecond for each sixty processes of the machine. */
const MEMORY_CHECKED: Ms = 1000;

/** A trouble that ends a rendering at once. */
class RenderingEnded extends Error {
  readonly trouble: RenderTrouble;

  constructor(trouble: RenderTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** Renders a page in a target of its own. Takes up to 15 s. @throws the reason of the signal */
export async function renderPage(browser: BrowserProcess, page: FetchedPage, answers: PageAnswers, signal: AbortSignal): Promise<Rendered> {
  let opened: OpenedTarget | null = null;
  try {
    opened = await browser.openTarget();
    return await new PageRendering(browser, opened, page, answers).run(signal);
  } catch (error) {
    browser.hadTrouble = true;
    signal.throwIfAborted();
    if (error instanceof RenderingEnded) return { html: null, trouble: error.trouble };
    if (error instanceof CdpError) return { html: null, trouble: error.reason === 'late' ? 'render-hung' : 'render-crash' };
    throw error;
  } finally {
    if (opened !== null) await browser.closeTarget(opened, LAST_TIME);
  }
}

class PageRendering {
  readonly #browser: BrowserProcess;
  readonly #session: string;
  readonly #page: FetchedPage;
  readonly #requests: PageRequests;
  /** Rejects when the rendering must end. */
  readonly #end: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #step: () => void = () => undefined;
  readonly #endsAt = performance.now() + MAX_RENDER_TIME;

  constructor(browser: BrowserProcess, { session, target }: OpenedTarget, page: FetchedPage, answers: PageAnswers) {
    [this.#browser, this.#session, this.#page] = [browser, session, page];
    this.#requests = new PageRequests(browser, target, page, answers);
    this.#end = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#end.catch(() => undefined);
  }

  async run(signal: AbortSignal): Promise<Rendered> {
    const onAbort = () => this.#fail(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    const memory = setInterval(() => this.#checkMemory(), MEMORY_CHECKED);
    try {
      signal.throwIfAborted();
      const world = await this.#unlessEnded(this.#open());
      const isSettled = await this.#unlessEnded(this.#settle(world));
      const html = await this.#unlessEnded(this.#document(world));
      return { html, trouble: this.#requests.hasLeft ? 'render-left' : isSettled ? null : 'render-unsettled' };
    } finally {
      clearInterval(memory);
      this.#requests.close();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Leads the target to the page. @returns the world in which our own questions are evaluated, out of reach of its scripts */
  async #open(): Promise<number> {
    this.#browser.listen(this.#session, (event) => this.#note(event));
    const startsAt = this.#page.startedAt / 1000;
    const first = [
      this.#send('Page.enable'),
      this.#send('Inspector.enable'),
      this.#send('Fetch.enable', WATCH_ALL),
      this.#send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      this.#send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 1024, deviceScaleFactor: 1, mobile: false }),
      this.#send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
      this.#send('Page.addScriptToEvaluateOnNewDocument', { source: fixesFor(this.#page.url), runImmediately: true }),
      this.#send('Emulation.setVirtualTimePolicy', { policy: 'pause', initialVirtualTime: startsAt }),
      this.#send('Runtime.runIfWaitingForDebugger'),
    ];
    await Promise.all(first);
    const { frameId } = await this.#send('Page.navigate', { url: this.#page.url }, this.#left());
    const world = await this.#send('Page.createIsolatedWorld', { frameId, worldName: 'forager' });
    return Number(world['executionContextId']);
  }

  /** Lets the clock of the page run until its text stays the same, scrolls to its end once, and again. @returns false if it did not settle in time */
  async #settle(world: number): Promise<boolean> {
    let before = -1;
    let hasScrolled = false;
    for (const [step, budget] of STEPS.entries()) {
      if (!(await this.#pass(budget))) return false;
      const { length, isLoaded } = await this.#measure(world);
      const isStable = isLoaded && length === before && step + 1 >= LEAST_STEPS;
      before = length;
      if (isStable && hasScrolled) return true;
      if (!isStable) continue;
      hasScrolled = true;
      await this.#evaluate(world, SCROLL);
    }
    return false;
  }

  /** Lets so much of the page's time pass. @returns false if that takes longer than the page may take */
  async #pass(budget: Ms): Promise<boolean> {
    const passed = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#left());
      this.#step = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    const policy = { policy: 'pauseIfNetworkFetchesPending', budget, maxVirtualTimeTaskStarvationCount: MAX_TASKS };
    await this.#send('Emulation.setVirtualTimePolicy', policy, this.#left() + LAST_TIME);
    return passed;
  }

  /** Length of the text, and whether the page has loaded. @throws RenderingEnded for a document that is too large */
  async #measure(world: number): Promise<{ readonly length: number; readonly isLoaded: boolean }> {
    const value = await this.#evaluate(world, MEASURE);
    const [length, elements, isLoaded] = Array.isArray(value) ? value : [];
    if (Number(elements) > MAX_ELEMENTS) throw new RenderingEnded('render-memory');
    return { length: Number(length), isLoaded: isLoaded === true };
  }

  async #evaluate(contextId: number, expression: string): Promise<unknown> {
    const { result } = await this.#send('Runtime.evaluate', { expression, contextId, returnByValue: true, awaitPromise: true }, LAST_TIME);
    return isObject(result) ? result['value'] : null;
  }

  /** The document with the open shadow roots as templates. */
  async #document(world: number): Promise<Uint8Array> {
    await this.#measure(world);
    const { root } = await this.#send('DOM.getDocument', { depth: 0 }, LAST_TIME);
    const nodeId = isObject(root) ? root['nodeId'] : 0;
    const html = Buffer.from(cdpText(await this.#send('DOM.getOuterHTML', { nodeId, includeShadowDOM: true }, LAST_TIME), 'outerHTML'));
    if (html.length > MAX_HTML) throw new RenderingEnded('render-memory');
    return html;
  }

  #note(event: CdpEvent): void {
    if (event.method === 'Emulation.virtualTimeBudgetExpired') this.#step();
    if (event.method === 'Inspector.targetCrashed') this.#fail(new RenderingEnded('render-crash'));
    if (event.method === 'Page.javascriptDialogOpening')
      void this.#send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
    void this.#requests.note(event);
  }

  /** Time that the page has left. */
  #left(): Ms {
    return Math.max(0, this.#endsAt - performance.now());
  }

  #checkMemory(): void {
    if (this.#browser.memory() > MAX_MEMORY) this.#fail(new RenderingEnded('render-memory'));
  }

  #send(method: string, params: CdpObject = {}, within?: Ms): Promise<CdpObject> {
    return this.#browser.send(method, params, this.#session, within);
  }

  #unlessEnded<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#end]);
  }
}
