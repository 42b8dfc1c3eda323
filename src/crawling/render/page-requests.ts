/** The requests of a rendered page and of its frames: the crawl answers each, or refuses it. */
import type { FetchedPage } from '../../base/core/types.ts';
import { FIELD_NAME } from '../fetch/request-fields.ts';
import type { BrowserProcess } from './browser-process.ts';
import { type CdpEvent, type CdpObject, cdpText, isObject } from './cdp-pipe.ts';
import type { PageAnswers, ResourceRequest } from './page-answers.ts';
import { fixesFor } from './page-scripts.ts';

/** All requests of a target stop until they are answered. */
export const WATCH_ALL = { patterns: [{ urlPattern: '*' }] } as const;

/** Header fields that are the fetcher's, or that make a browser act by itself. */
const OMITTED =
  /^(alt-svc|clear-site-data|content-disposition|content-encoding|content-length|link|nel|refresh|report-to|reporting-endpoints|service-worker-allowed|set-cookie|speculation-rules|strict-transport-security|transfer-encoding)$/i;

export class PageRequests {
  readonly #browser: BrowserProcess;
  /** Also the id of the main frame. */
  readonly #target: string;
  readonly #page: FetchedPage;
  readonly #answers: PageAnswers;
  /** Sessions of frames in processes of their own. */
  readonly #frames = new Set<string>();
  #isServed = false;
  /** A script led to another page, or a form did. */
  hasLeft = false;

  constructor(browser: BrowserProcess, target: string, page: FetchedPage, answers: PageAnswers) {
    [this.#browser, this.#target, this.#page, this.#answers] = [browser, target, page, answers];
  }

  /** Answers an event about a request or a further target; others are left alone. Never rejects: a target may have ended meanwhile. */
  async note({ method, params, session }: CdpEvent): Promise<void> {
    const work =
      method === 'Fetch.requestPaused' ? this.#answer(params, session) : method === 'Target.attachedToTarget' ? this.#attach(params) : null;
    await work?.catch(() => undefined);
  }

  /** Listens to its frames no longer. */
  close(): void {
    for (const session of this.#frames) this.#browser.listen(session, null);
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
    this.#frames.add(session);
    this.#browser.listen(session, (event) => void this.note(event));
    await send('Fetch.enable', WATCH_ALL);
    await send('Page.enable');
    await send('Page.addScriptToEvaluateOnNewDocument', { source: fixesFor(this.#page.url), runImmediately: true });
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
    if (request.type === 'Document') return isMain ? this.#documentFor(request) : null;
    const page = await this.#answers.answer(request);
    return page && responseOf(page);
  }

  /** The page itself, once: the first request is our own, though the browser may write its URL in another way. A later one leads elsewhere. */
  #documentFor({ url, method }: ResourceRequest): CdpObject | null {
    const isPage = !this.#isServed && method === 'GET' && new URL(url).origin === new URL(this.#page.url).origin;
    if (isPage) this.#isServed = true;
    else this.hasLeft = true;
    return isPage ? responseOf(this.#page) : null;
  }
}

function responseOf({ status, rawHeaders, body }: FetchedPage): CdpObject {
  const isUsable = ([name, value]: readonly [string, string]) => !OMITTED.test(name) && FIELD_NAME.test(name) && !/[\0\r\n]/.test(value);
  const responseHeaders = rawHeaders.filter(isUsable).map(([name, value]) => ({ name, value }));
  return { responseCode: status, responseHeaders, body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64') };
}

/** The answer to a preflight (Fetch standard, §CORS protocol): nobody is asked. The response itself decides whether the script may read it. */
function preflight(headers: CdpObject): CdpObject {
  const asked = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const allowed = {
    'Access-Control-Allow-Origin': asked.get('origin') ?? '*',
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': asked.get('access-control-request-headers') ?? '*',
    'Access-Control-Allow-Credentials': 'true',
  };
  return { responseCode: 204, responseHeaders: Object.entries(allowed).map(([name, value]) => ({ name, value })) };
}
