/** A web on loopback for crawls on several machines: hosts of one address each, pages by number, and a log of every request with its worker. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRng } from '../../src/base/core/rng.ts';
import type { Ms } from '../../src/base/core/types.ts';

export interface MachineWebOptions {
  readonly pages: number;
  readonly hosts: number;
  /** Time that an answer takes. */
  readonly latency: Ms;
}

/** A request as the server saw it. `end` is when its answer was sent, or when its connection broke: the events that follow come late on a busy machine. */
export interface AskedPage {
  readonly host: string;
  readonly path: string;
  /** The name in its User-Agent. */
  readonly worker: string;
  readonly start: Ms;
  end: Ms;
}

export interface MachineWeb {
  readonly seeds: readonly string[];
  readonly log: readonly AskedPage[];
  /** HTML of pages on the subject. */
  readonly examples: readonly string[];
  /** Number of different pages that were answered. */
  readonly answered: number;
  urlOf(page: number): string;
  close(): Promise<void>;
}

const ON_TOPIC = 'moss peat bog fern spore sphagnum marsh lichen heath wetland rhizoid capsule'.split(' ');
const OFF_TOPIC = 'engine piston brake gear wheel diesel clutch torque valve exhaust axle motor'.split(' ');
const WORDS = 160;

/** Every page is linked from one with half its number, so all are reached; two further links lead anywhere. Two of three are on topic. */
export async function startMachineWeb({ pages, hosts, latency }: MachineWebOptions): Promise<MachineWeb> {
  const log: AskedPage[] = [];
  const answered = new Set<number>();
  const server = createServer((request, response) => {
    const [host = '', path = ''] = [request.headers.host, request.url];
    const asked: AskedPage = {
      host,
      path,
      worker: request.headers['user-agent']?.split(/[ /]/)[0] ?? '',
      start: performance.now(),
      end: Number.NaN,
    };
    log.push(asked);
    response.once('close', () => {
      if (!response.writableFinished) asked.end = performance.now();
    });
    const page = /^\/p\/(\d+)$/.exec(path)?.[1];
    void sleep(latency).then(() => {
      asked.end = performance.now();
      if (page === undefined || Number(page) >= pages) response.writeHead(404).end();
      else {
        answered.add(Number(page));
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(htmlOf(Number(page)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const hostOf = (page: number) => `127.${1 + ((page % hosts) >> 8)}.${(page % hosts) & 255}.1:${port}`;
  const urlOf = (page: number) => `http://${hostOf(page)}/p/${page}`;
  const textOf = (page: number, words: readonly string[]) => {
    const rng = seededRng(page);
    return Array.from({ length: WORDS }, () => words[Math.floor(rng() * words.length)]).join(' ');
  };
  const htmlOf = (page: number) => {
    const words = page % 3 === 2 ? OFF_TOPIC : ON_TOPIC;
    const links = [page * 2 + 1, page * 2 + 2, (page * 7919 + 13) % pages, (page * 104_729 + 7) % pages].filter((to) => to < pages);
    const items = links.map((to) => `<li><a href="${urlOf(to)}">${words[to % words.length]} page ${to}</a></li>`).join('');
    return `<!doctype html><title>${words[0]} ${page}</title><h1>${words[0]} ${page}</h1><p>${textOf(page, words)}.</p><ul>${items}</ul>`;
  };
  return {
    seeds: [urlOf(0)],
    log,
    examples: Array.from({ length: 12 }, (_, i) => htmlOf(pages + 3 * i)),
    get answered() {
      return answered.size;
    },
    urlOf,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
