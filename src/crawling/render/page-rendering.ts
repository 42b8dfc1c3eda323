/** One page in the browser: its scripts run, each request of theirs is answered by the crawl, and the settled document is taken. */
import { createHash } from 'node:crypto';
import type { RenderTrouble } from '../../base/core/rendering.ts';
import type { Bytes, FetchedPage, Ms } from '../../base/core/types.ts';
import { FIELD_NAME } from '../fetch/request-fields.ts';
import type { BrowserProcess, OpenedTarget } from './browser-process.ts';
import { CdpError, type CdpEvent, type CdpObject, cdpText, isObject } from './cdp-pipe.ts';
import type { PageAnswers, ResourceRequest } from './page-answers.ts';
import { FIXED_CHANCE, FIXED_SIGHT, MEASURE, SCROLL } from './page-scripts.ts';

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

/** Header fields that are the fetcher's, or that make a browser act by itself. */
const OMITTED =
  /^(alt-svc|clear-site-data|content-disposition|content-encoding|content-length|link|nel|refresh|report-to|reporting-endpoints|service-worker-allowed|set-cookie|speculation-rules|strict-transport-security|transfer-encoding)$/i;

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
  /** Also the id of its main frame. */
  readonly #target: string;
  readonly #page: FetchedPage;
  readonly #answers: PageAnswers;
  /** Rejects when the rendering must end. */
  readonly #end: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #step: () => void = () => undefined;
  readonly #endsAt = performance.now() + MAX_RENDER_TIME;
  #isServed = false;
  #hasLeft = false;

  constructor(browser: BrowserProcess, { session, target }: OpenedTarget, page: FetchedPage, answers: PageAnswers) {
    [this.#browser, this.#session, this.#target, this.#page, this.#answers] = [browser, session, target, page, answers];
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
      return { html, trouble: this.#hasLeft ? 'render-left' : isSettled ? null : 'render-unsettled' };
    } finally {
      clearInterval(memory);
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
      this.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      this.#send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      this.#send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 1024, deviceScaleFactor: 1, mobile: false }),
      this.#send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
      this.#send('Page.addScriptToEvaluateOnNewDocument', { source: fixesFor(this.#page), runImmediately: true }),
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
      const { length, elements, isLoaded } = await this.#measure(world);
      if (elements > MAX_ELEMENTS) throw new RenderingEnded('render-memory');
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

  async #measure(world: number): Promise<{ readonly length: number; readonly elements: number; readonly isLoaded: boolean }> {
    const value = await this.#evaluate(world, MEASURE);
    const [length, elements, isLoaded] = Array.isArray(value) ? value : [];
    return { length: Number(length), elements: Number(elements), isLoaded: isLoaded === true };
  }

  async #evaluate(contextId: number, expression: string): Promise<unknown> {
    const { result } = await this.#send('Runtime.evaluate', { expression, contextId, returnByValue: true, awaitPromise: true }, LAST_TIME);
    return isObject(result) ? result['value'] : null;
  }

  /** The document with the open shadow roots as templates. */
  async #document(world: number): Promise<Uint8Array> {
    const { elements } = await this.#measure(world);
    if (elements > MAX_ELEMENTS) throw new RenderingEnded('render-memory');
    const { root } = await this.#send('DOM.getDocument', { depth: 0 }, LAST_TIME);
    const nodeId = isObject(root) ? root['nodeId'] : 0;
    const html = Buffer.from(cdpText(await this.#send('DOM.getOuterHTML', { nodeId, includeShadowDOM: true }, LAST_TIME), 'outerHTML'));
    if (html.length > MAX_HTML) throw new RenderingEnded('render-memory');
    return html;
  }

  #note({ method, params }: CdpEvent): void {
    if (method === 'Emulation.virtualTimeBudgetExpired') this.#step();
    if (method === 'Inspector.targetCrashed') this.#fail(new RenderingEnded('render-crash'));
    void this.#reply(method, params).catch(() => undefined);
  }

  /** Answers an event that wants an answer. @throws CdpError if its target has ended meanwhile */
  async #reply(method: string, params: CdpObject): Promise<void> {
    switch (method) {
      case 'Fetch.requestPaused':
        await this.#answer(params, this.#session);
        break;
      case 'Page.javascriptDialogOpening':
        await this.#send('Page.handleJavaScriptDialog', { accept: false });
        break;
      case 'Target.attachedToTarget':
        await this.#attach(params);
    }
  }

  /** A frame in a process of its own: its requests are answered like those of the page. A worker, whose requests cannot be watched, never starts. */
  async #attach(params: CdpObject): Promise<void> {
    const session = cdpText(params, 'sessionId');
    const info = isObject(params['targetInfo']) ? params['targetInfo'] : {};
    if (cdpText(info, 'type') === 'iframe') await this.#watch(session);
    else await this.#browser.send('Target.closeTarget', { targetId: cdpText(info, 'targetId') });
  }

  async #watch(session: string): Promise<void> {
    const send = (method: string, given: CdpObject = {}) => this.#browser.send(method, given, session);
    this.#browser.listen(session, (event) => {
      if (event.method === 'Fetch.requestPaused') void this.#answer(event.params, session).catch(() => undefined);
      if (event.method === 'Target.attachedToTarget') void this.#attach(event.params).catch(() => undefined);
    });
    await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await send('Page.enable');
    await send('Page.addScriptToEvaluateOnNewDocument', { source: fixesFor(this.#page), runImmediately: true });
    await send('Runtime.runIfWaitingForDebugger');
  }

  async #answer(params: CdpObject, session: string): Promise<void> {
    const requestId = params['requestId'];
    const type = cdpText(params, 'resourceType');
    const request = isObject(params['request']) ? params['request'] : {};
    const [url, method] = [cdpText(request, 'url'), cdpText(request, 'method')];
    const headers = isObject(request['headers']) ? request['headers'] : {};
    const isMain = params['frameId'] === this.#target;
    const found = method === 'OPTIONS' ? preflight(headers) : await this.#responseTo({ url, method, type, headers }, isMain);
    // An aborted navigation leaves the document as it is; a blocked one would put a page about the error in its place.
    const errorReason = type === 'Document' && isMain ? 'Aborted' : 'BlockedByClient';
    const fail = () => this.#browser.send('Fetch.failRequest', { requestId, errorReason }, session);
    if (found === null) await fail();
    else await this.#browser.send('Fetch.fulfillRequest', { requestId, ...found }, session).catch(fail);
  }

  async #responseTo(request: ResourceRequest, isMain: boolean): Promise<CdpObject | null> {
    if (request.type === 'Document') return this.#documentFor(request, isMain);
    const page = await this.#answers.answer(request);
    return page && responseOf(page);
  }

  /** The page itself, once. Other documents are frames, or a script leads elsewhere. */
  #documentFor({ url, method }: ResourceRequest, isMain: boolean): CdpObject | null {
    if (!isMain) return null;
    // The first is our own; the browser may write its URL in another way.
    const isPage = !this.#isServed && method === 'GET' && new URL(url).origin === new URL(this.#page.url).origin;
    if (isPage) this.#isServed = true;
    else this.#hasLeft = true;
    return isPage ? responseOf(this.#page) : null;
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

function responseOf({ status, rawHeaders, body }: FetchedPage): CdpObject {
  const isUsable = ([name, value]: readonly [string, string]) => !OMITTED.test(name) && FIELD_NAME.test(name) && !/[\0\r\n]/.test(value);
  const responseHeaders = rawHeaders.filter(isUsable).map(([name, value]) => ({ name, value }));
  return { responseCode: status, responseHeaders, body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64') };
}

/** The answer to a preflight (Fetch standard, §CORS protocol): nobody is asked. The response itself decides whether the script may read it. */
function preflight(headers: CdpObject): CdpObject {
  const asked = Object.entries(headers).find(([name]) => name.toLowerCase() === 'access-control-request-headers')?.[1];
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === 'origin')?.[1];
  const allowed = {
    'Access-Control-Allow-Origin': origin ?? '*',
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': asked ?? '*',
    'Access-Control-Allow-Credentials': 'true',
  };
  return { responseCode: 204, responseHeaders: Object.entries(allowed).map(([name, value]) => ({ name, value })) };
}

/** Scripts that run before those of the page. The seed of its chance follows from its URL. */
function fixesFor({ url }: FetchedPage): string {
  return `${FIXED_CHANCE.replace('SEED', String(createHash('sha256').update(url).digest().readUInt32LE(0)))};${FIXED_SIGHT}`;
}
