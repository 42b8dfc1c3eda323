/** A web of shells and static pages, of which every page's true text, links and topic is known. */
import { type GeneratedWeb, generateWeb } from '../generated-web/web.ts';
import { htmlAnswer, notFound, type PageAnswer, type PageSource, withoutQuery } from '../page-source.ts';
import { bodyOf, itemsOf, LIST_BATCH, plainText, type ShellContent, shellDocument, staticDocument } from './shell-documents.ts';
import { addressOf, fragmentOf, kindOfId, MODULE_HOST, type ShellKind } from './shell-kinds.ts';
import { bundleOf, MODULE_ENTRY, MODULE_FILES, SHELL_SCRIPTS, SITE_SCRIPT } from './shell-scripts.ts';

/** A page with its truth, which comes from the data and from no browser. */
export interface ShellPage {
  readonly url: string;
  /** null: a static page. */
  readonly kind: ShellKind | null;
  /** null: off every topic. */
  readonly topic: string | null;
  /** Main text, white space as one blank. */
  readonly text: string;
  /** URLs without fragments, each once. */
  readonly links: readonly string[];
  /** A static page of two sentences. */
  readonly short: boolean;
}

export interface ShellWebOptions {
  readonly seed: number;
  /** Even number: half of the pages are shells. Homes and about pages are further ones, and static. Default 600. */
  readonly pages?: number;
}

/** Hosts of static pages; each kind of shells has two more. */
const STATIC_HOSTS = 8;
/** Four topics: a quarter of the pages is on each. */
const KNOBS = { hosts: STATIC_HOSTS, topics: 4, locality: 0.7, linksPerPage: 8, hostPurity: 0.4, sameHost: 0.3, pageBytes: 4000 };
/** One static page in so many is short. */
const SHORT_EVERY = 7;
const PAGE_LINK = /http:\/\/([^/"]+)\/a\/(\d+)\.html/g;

/** A web from its seed. Same options, same bytes. */
export function shellWeb({ seed, pages = 600 }: ShellWebOptions): ShellWeb {
  return new ShellWeb(generateWeb({ ...KNOBS, seed, pages }));
}

interface Entry {
  readonly page: ShellPage;
  readonly content: ShellContent;
}

export class ShellWeb {
  readonly pages: readonly ShellPage[];
  /** Answers for a server. */
  readonly source: PageSource;
  readonly #base: GeneratedWeb;
  readonly #byAddress = new Map<string, Entry>();
  readonly #byId = new Map<number, Entry>();

  constructor(base: GeneratedWeb) {
    this.#base = base;
    for (const [id, url] of base.urls().entries()) this.#add(id, url);
    for (const host of base.hosts) for (const path of ['/', '/about.html']) this.#add(null, `http://${host}${path}`);
    this.pages = [...this.#byAddress.values()].map(({ page }) => page);
    this.source = { get: (host, path) => this.#answer(host, path) };
  }

  /** robots.txt by host: that of the host `xhr-1.example` forbids `/private/`, which its pages ask for. */
  get robots(): ReadonlyMap<string, string> {
    return new Map(['xhr-1.example', 'xhr-2.example'].map((host) => [host, 'User-agent: *\nDisallow: /private/\n']));
  }

  /** The page at a URL; null if there is none. */
  page(url: string): ShellPage | null {
    const { host, pathname } = new URL(url);
    return this.#byAddress.get(host + pathname)?.page ?? null;
  }

  /** Homes of the hosts of static pages: from them a crawl that renders reaches every page. */
  seeds(): readonly string[] {
    return this.#base.hosts.map((host) => `http://${host}/`);
  }

  /** HTML of training pages of a topic, which are not on the web. */
  examples(topic: string, count: number): readonly string[] {
    return this.#base.examples(topic, count);
  }

  #add(id: number | null, url: string): void {
    const entry = id === null ? this.#site(url) : this.#node(id, url);
    const { host, pathname } = new URL(entry.page.url);
    this.#byAddress.set(host + pathname, entry);
    if (id !== null) this.#byId.set(id, entry);
  }

  #site(url: string): Entry {
    const content = contentOf(-1, this.#base.page(url)?.html ?? '');
    return { content, page: pageOf(url, null, null, content, false) };
  }

  #node(id: number, url: string): Entry {
    const whole = contentOf(id, this.#base.page(url)?.html ?? '');
    const kind = kindOfId(id);
    const short = kind === null && id % SHORT_EVERY === 0;
    const content = short ? { ...whole, main: firstParagraph(whole.main) } : whole;
    const { host, path } = addressOf(id, new URL(url).host);
    return { content, page: pageOf(`http://${host}${path}`, kind, this.#base.topicOf(url), content, short) };
  }

  #answer(host: string, path: string): PageAnswer | null {
    if (host === MODULE_HOST) return scriptAnswer(MODULE_FILES[withoutQuery(path)]);
    const entry = this.#byAddress.get(host + withoutQuery(path));
    if (entry !== undefined) {
      const { kind } = entry.page;
      return htmlAnswer(kind === null ? staticDocument(entry.content) : shellDocument(kind, entry.content));
    }
    return this.#isHost(host) ? this.#data(host, path) : null;
  }

  #isHost(host: string): boolean {
    return this.pages.some(({ url }) => new URL(url).host === host);
  }

  #data(host: string, path: string): PageAnswer {
    const asset = /^\/assets\/(\w+)\.js$/.exec(path)?.[1];
    if (asset !== undefined) return scriptAnswer(this.#script(host, asset));
    const [, form, id = '', from = '0'] = /^\/(api|items)\/(\d+)\.json(?:\?from=(\d+))?$/.exec(path) ?? [];
    const content = this.#byId.get(Number(id))?.content;
    if (form === undefined || content === undefined) return notFound();
    return jsonAnswer(form === 'api' ? dataOf(content) : itemsOf(content).slice(Number(from), Number(from) + LIST_BATCH));
  }

  #script(host: string, name: string): string | undefined {
    if (name === 'module') return MODULE_ENTRY;
    if (name === 'site') return SITE_SCRIPT;
    if (name !== 'client') return (SHELL_SCRIPTS as Readonly<Record<string, string>>)[name];
    const own = [...this.#byId.values()].filter(({ page }) => page.kind === 'client' && new URL(page.url).host === host);
    return bundleOf(JSON.stringify(Object.fromEntries(own.map(({ content }) => [content.id, dataOf(content)]))));
  }
}

function pageOf(url: string, kind: ShellKind | null, topic: string | null, content: ShellContent, short: boolean): ShellPage {
  const hrefs = [...bodyOf(content).matchAll(/href="([^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return { url, kind, topic, text: plainText(content.main), links: [...new Set(hrefs)], short };
}

/** Parts of a page of the generated web, its links rewritten to this one. */
function contentOf(id: number, html: string): ShellContent {
  const rewritten = html.replace(PAGE_LINK, (_, host: string, to: string) => {
    const { host: at, path } = addressOf(Number(to), host);
    return `http://${at}${path}${fragmentOf(Number(to))}`;
  });
  const [, title = '', before = '', main = '', after = ''] =
    /<title>(.*)<\/title>.*<body>\n(.*)<main><article>(.*)<\/article><\/main>\n(.*)<\/body>/s.exec(rewritten) ?? [];
  return { id, title, before, main, after };
}

function firstParagraph(main: string): string {
  const [heading = '', first = ''] = main.split('<p>');
  return `${heading}<p>${first
    .replace(/<\/?p>/g, '')
    .split(/(?<=[.?!])\s+/)
    .slice(0, 2)
    .join(' ')}</p>`;
}

function dataOf({ title, ...content }: ShellContent): { readonly title: string; readonly html: string } {
  return { title, html: bodyOf({ title, ...content }) };
}

function scriptAnswer(text: string | undefined): PageAnswer {
  if (text === undefined) return notFound();
  return { status: 200, headers: { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }, body: Buffer.from(text) };
}

function jsonAnswer(value: unknown): PageAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}
