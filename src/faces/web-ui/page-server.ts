/** The page's server: guards, routes, streams. It serves one person or a few, on loopback unless told otherwise. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { CrawlerError, EnvironmentError, messageOf, UsageError } from '../../base/core/errors.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { boundedServer } from '../../crawling/monitor/bounded-server.ts';
import { type ListenAddress, listening, serverOrigin } from '../../crawling/monitor/listen.ts';
import { Access } from './access.ts';
import { assetNamed } from './assets.ts';
import { screenOf } from './layout.ts';
import { html } from './markup.ts';
import type { OpenedCrawl } from './opened-crawl.ts';
import type { Project } from './project.ts';
import type { Asked, Reply, Route } from './route.ts';
import { ROUTES, START, START_PATH } from './screens.ts';
import { SlowAnswers } from './slow-answers.ts';
import { Streams } from './streams.ts';
import { durationText, STRINGS } from './strings.ts';

/** A form of a screen has some hundred bytes; a pasted list of seeds or labels fits as well. */
const MAX_FORM: Bytes = 4 * 2 ** 20;

/** No source but our own scripts and styles: text of the web can load nothing and run nothing. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** The page is about a crawl, or about a project that leads to one. */
export interface Subject {
  /** null if the page was opened for a crawl. */
  readonly project: Project | null;
  /** null as long as the project has no crawl. */
  readonly place: () => OpenedCrawl | null;
}

export class PageServer {
  readonly #server: Server;
  readonly #access: Access;
  readonly #subject: Subject;
  readonly #streams = new Streams();
  readonly #slow = new SlowAnswers();
  readonly #routes = new Map<string, Map<string, Route>>();

  private constructor(subject: Subject, { host }: ListenAddress) {
    this.#subject = subject;
    this.#access = new Access(host);
    for (const route of [...ROUTES, ...(subject.project === null ? [] : START)])
      this.#routes.set(route.path, (this.#routes.get(route.path) ?? new Map()).set(route.method, route));
    this.#server = boundedServer((request, response) => void this.#answer(request, response));
  }

  /** @throws EnvironmentError if the server cannot listen there */
  static async open(subject: Subject, address: ListenAddress): Promise<PageServer> {
    const server = new PageServer(subject, address);
    try {
      await listening(server.#server, address.host, address.port);
    } catch (error) {
      const { host, port } = address;
      throw new EnvironmentError(`--page ${host}:${port}: the server cannot listen there (${messageOf(error)}); give another port`, {
        cause: error,
      });
    }
    return server;
  }

  /** The address to open, with the token. */
  get url(): string {
    return `${this.origin}/?token=${this.#access.token}`;
  }

  get origin(): string {
    return serverOrigin(this.#server);
  }

  /** Tells all open pages that there is something new. */
  changed(): void {
    this.#streams.tell('changed');
  }

  async close(): Promise<void> {
    this.#streams.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** Never rejects: a failure is a page that says so. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else this.#fail(response, error);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const base = 'http://page.invalid';
    if (!URL.canParse(request.url ?? '/', base)) return this.#refuse(response, 400, STRINGS.noSuchPage);
    const url = new URL(request.url ?? '/', base);
    const refusal = this.#access.refusalOf(request, url);
    if (refusal !== null) return this.#refuse(response, refusal.status, refusal.message);
    if (url.searchParams.has('token')) return this.#welcome(request, response, url);
    if (url.pathname === '/events' && request.method === 'GET') return this.#streams.open(response);
    const asset = request.method === 'GET' ? await assetNamed(url.pathname) : null;
    if (asset !== null) return send(response, 200, asset.text, asset.type, POLICY);
    const metrics = request.method === 'GET' ? await this.#subject.place()?.monitor?.answer(url.pathname) : null;
    if (metrics) return send(response, metrics.status, metrics.text, metrics.type, POLICY);
    const methods = this.#routes.get(url.pathname);
    const route = methods?.get(request.method ?? '');
    if (methods === undefined) return this.#refuse(response, 404, STRINGS.noSuchPage);
    if (route === undefined) {
      response.setHeader('allow', [...methods.keys()].join(', '));
      return this.#refuse(response, 405, STRINGS.noSuchMethod);
    }
    const form = route.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : new URLSearchParams();
    if (route.method === 'POST' && !this.#access.isFromPage(request, form.get('formToken') ?? ''))
      return this.#refuse(response, 403, STRINGS.notFromPage);
    const common = { query: url.searchParams, form, formToken: this.#access.formToken, person: this.#access.personAt(request) };
    const answer = this.#answerOf(route, common);
    if (answer === null) return redirect(response, START_PATH);
    const reply = isNavigation(request)
      ? await this.#slow.soon(`${request.headers.cookie} ${url.pathname}${url.search}`, answer)
      : await answer();
    if (typeof reply === 'number') this.#wait(response, reply, url);
    else this.#send(response, reply, url);
  }

  /** null if there is nothing yet that the route is about. */
  #answerOf(route: Route, common: Omit<Asked, 'place'>): (() => Promise<Reply>) | null {
    const [{ project }, place] = [this.#subject, this.#subject.place()];
    if (route.of === 'project') return project && (() => route.answer({ ...common, project }));
    return place && (() => route.answer({ ...common, place }));
  }

  /** The browser asks again by itself, without a script (HTML Standard, 4.2.5.3, "Refresh"). */
  #wait(response: ServerResponse, ms: Ms, { pathname }: URL): void {
    const { title, text } = STRINGS.wait;
    const main = html`<h1>${title}</h1><p role="status">${text(durationText(ms))}</p>`;
    response.setHeader('refresh', '1');
    send(response, 202, this.#screen({ title, main, still: true }, pathname), HTML, POLICY);
  }

  /** The token leaves the address, which histories keep, for a cookie. */
  #welcome(request: IncomingMessage, response: ServerResponse, url: URL): void {
    url.searchParams.delete('token');
    response.setHeader('set-cookie', this.#access.cookies(request));
    redirect(response, `${url.pathname}${url.search}`);
  }

  #send(response: ServerResponse, reply: Reply, { pathname }: URL): void {
    if (reply.kind === 'see') {
      if (reply.cookie !== undefined) response.setHeader('set-cookie', reply.cookie);
      redirect(response, reply.path);
    } else if (reply.kind === 'screen') send(response, 200, this.#screen(reply, pathname), HTML, POLICY);
    else if (reply.kind === 'json') send(response, 200, `${JSON.stringify(reply.value)}\n`, 'application/json; charset=utf-8', POLICY);
    else {
      response.setHeader('content-disposition', `attachment; filename="${reply.name}"`);
      send(response, 200, reply.text, reply.type, POLICY);
    }
  }

  #screen({ title, main, script, still }: Omit<Extract<Reply, { kind: 'screen' }>, 'kind'>, path: string): string {
    const own = { title, main, ...(still && { still }), path, script: script ?? 'live' };
    const { project } = this.#subject;
    const place = this.#subject.place();
    return screenOf({
      ...own,
      dir: place?.dir ?? project?.folder ?? '',
      project,
      hasCrawl: place !== null,
      formToken: this.#access.formToken,
    }).text;
  }

  #refuse(response: ServerResponse, status: number, message: string): void {
    send(response, status, `${message}\n`, 'text/plain; charset=utf-8', POLICY);
  }

  #fail(response: ServerResponse, error: unknown): void {
    const known = error instanceof CrawlerError;
    const main = html`<h1>${STRINGS.failed}</h1><p class="warning">${messageOf(error)}</p>`;
    send(response, known ? 400 : 500, this.#screen({ title: STRINGS.failed, main }, ''), HTML, POLICY);
  }
}

/** A browser loads a screen for a person (Fetch Metadata, 2.2), who did not say that an answer may take its time (RFC 7240, 4.3). */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !/\bwait=/.test(String(headers['prefer'] ?? ''));
}

const HTML = 'text/html; charset=utf-8';

function redirect(response: ServerResponse, path: string): void {
  // One slash: `//host` would lead away.
  response.writeHead(303, { ...COMMON, location: path.replace(/^\/+/, '/') }).end();
}

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`, with which browsers send `Origin: null` with our own forms (Fetch Standard 3.2.1).
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

function send(response: ServerResponse, status: number, text: string, type: string, policy: string): void {
  response.writeHead(status, { ...COMMON, 'content-type': type, 'content-security-policy': policy }).end(text);
}

/** @throws CrawlerError if it is larger than `MAX_FORM` */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_FORM) throw new UsageError(STRINGS.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
