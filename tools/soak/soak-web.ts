/**
 * The web of the soak, in a process of its own: a generated web at loopback addresses, with a first host whose pages list all its URLs, so
 * that a crawl knows them from the start and what it finds later is nothing new. Answers no faster than it is told to. One page in fifty is
 * dead, leads elsewhere, is of another type or breaks off.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { notFound, type PageAnswer, withoutQuery } from '../../datasets/page-source.ts';
import type { Ms } from '../../src/base/core/types.ts';

/** What the parent asks for first. */
export interface SoakWebOptions {
  readonly seed: number;
  readonly pages: number;
}

/** What it is told then. */
export interface SoakWebReady {
  readonly seeds: readonly string[];
  readonly examples: readonly string[];
}

/** And at any time. */
export interface Pace {
  readonly pagesPerSecond: number;
}

const HOSTS = 200;
const LIST_HOST = '127.255.0.1';
const LISTED = 1000;
const EXAMPLES = 20;
const KEEP_ALIVE: Ms = 120_000;
const ALLOW_ALL = 'User-agent: *\nAllow: /\n';

/** Links tell nothing of what they lead to, and hosts are of all topics: on-topic pages come evenly, first to last. */
const KNOBS = { hosts: HOSTS, topics: 10, hostPurity: 0, locality: 0.1, anchorQuality: 0, hubs: 0 };

let pagesPerSecond = Number.POSITIVE_INFINITY;
let nextTurn: Ms = 0;

process.once('message', ({ seed, pages }: SoakWebOptions) => {
  process.on('message', (pace: Pace) => {
    ({ pagesPerSecond } = pace);
  });
  void serve(generateWeb({ seed, pages, ...KNOBS }));
});

async function serve(named: GeneratedWeb): Promise<void> {
  let answer: (host: string, path: string) => PageAnswer | null = () => null;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, noDelay: true }, (request, response) => {
    request.resume();
    const found = answer(request.headers.host ?? '', request.url ?? '/') ?? notFound();
    setTimeout(() => send(found, response, request.url ?? '/'), turn());
  });
  // All of 127.0.0.0/8: each host of the web has an address of its own.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const web = named.onLoopback(port);
  const lists = listsOf(web);
  answer = (host, path) => {
    if (path === '/robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(ALLOW_ALL) };
    return host === `${LIST_HOST}:${port}` ? (lists.get(path) ?? null) : faulty(web.source.get(host, path), host, path);
  };
  const seeds = [...lists.keys()].map((path) => `http://${LIST_HOST}:${port}${path}`);
  const ready: SoakWebReady = { seeds, examples: web.examples('topic-1', EXAMPLES) };
  process.send?.(ready);
}

/** @returns how long an answer has to wait for its turn */
function turn(): Ms {
  const now = performance.now();
  nextTurn = Math.max(now, nextTurn) + 1000 / pagesPerSecond;
  return nextTurn - now;
}

function listsOf(web: GeneratedWeb): ReadonlyMap<string, PageAnswer> {
  const urls = web.urls();
  const lists = new Map<string, PageAnswer>();
  for (let from = 0; from < urls.length; from += LISTED) {
    const links = urls.slice(from, from + LISTED).map((url, i) => `<li><a href="${url}">page ${from + i}</a>`);
    const html = `<!doctype html><html lang="en"><title>List ${from}</title><body><h1>List ${from}</h1><ul>${links.join('\n')}</ul>`;
    lists.set(`/list/${from / LISTED}`, { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(html) });
  }
  return lists;
}

/** By the number in its path. */
function faulty(answer: PageAnswer | null, host: string, path: string): PageAnswer | null {
  if (answer === null || answer.status !== 200) return answer;
  switch (numberOf(path) % 200) {
    case 1:
      return { ...answer, status: 410 };
    case 2:
      return { status: 301, headers: { location: `http://${host}/` }, body: new Uint8Array() };
    case 3:
      return { ...answer, headers: { 'content-type': 'application/pdf' } };
    default:
      return answer;
  }
}

function send({ status, headers, body }: PageAnswer, response: ServerResponse, path: string): void {
  response.writeHead(status, { ...headers, 'content-length': body.byteLength });
  if (numberOf(path) % 200 !== 4) response.end(body);
  else response.write(body.subarray(0, body.byteLength / 2), () => response.destroy());
}

function numberOf(path: string): number {
  return Number(/\d+/.exec(withoutQuery(path))?.[0] ?? 0);
}
