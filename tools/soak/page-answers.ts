/** A person who labels a running crawl on its page, by all ways that the page has, and who remembers which answers were confirmed. */
import { setTimeout } from 'node:timers/promises';
import type { Rng } from '../../src/base/core/rng.ts';
import type { Answer } from '../../src/study/label/label-queue.ts';
import type { PageClient } from '../../test/faces/web-ui/page-client.ts';
import type { Screen } from '../../test/faces/web-ui/tables.ts';

/** Times that a form is sent again: 20 seconds, for a busy machine. */
const OPENINGS = 100;

/** Ways to answer; each is drawn as often as it is named. */
const WAYS = ['one', 'one', 'one', 'grid', 'last', 'none'] as const;
export type Way = (typeof WAYS)[number] | 'train';

/** A host with more pages than this is answered one by one: the crawl would have no questions left. */
const MOST_OF_PLACE = 15;
const KEYS = { y: 'y', n: 'n', skip: 's' } as const;

/** All answers of all sessions with one crawl. */
export class Memory {
  /** Confirmed, by URL: the last one counts. */
  readonly confirmed = new Map<string, Answer>();
  /** Sent, and not confirmed so far. */
  readonly sent = new Map<string, Answer>();
  /** Pages that were confirmed with their host, by its name. */
  readonly ofHosts = new Map<string, number>();
  /** The host whose pages are sent; null for none. */
  sentHost: string | null = null;
  readonly ways = new Map<Way, number>();

  confirm(way: Way, { host, pages }: { readonly host: string; readonly pages: number } = { host: '', pages: 0 }): void {
    for (const [url, answer] of this.sent) this.confirmed.set(url, answer);
    if (pages > 0) this.ofHosts.set(host, (this.ofHosts.get(host) ?? 0) + pages);
    this.forget();
    this.ways.set(way, (this.ways.get(way) ?? 0) + 1);
  }

  /** What was sent when the crawl died may be stored or not. */
  forget(): void {
    this.sent.clear();
    this.sentHost = null;
  }
}

export class PagePerson {
  readonly #client: PageClient;
  readonly #memory: Memory;
  readonly #rng: Rng;
  readonly #truth: (url: string) => 'y' | 'n';

  constructor(client: PageClient, memory: Memory, rng: Rng, truth: (url: string) => 'y' | 'n') {
    this.#client = client;
    this.#memory = memory;
    this.#rng = rng;
    this.#truth = truth;
  }

  /** @returns false while there is nothing to answer @throws Error when the server is gone, or refuses an answer */
  answer(): Promise<boolean> {
    const way = WAYS[Math.floor(this.#rng() * WAYS.length)] ?? 'one';
    if (way === 'grid') return this.#grid();
    return way === 'last' ? this.#last() : this.#question(way === 'none');
  }

  async train(): Promise<void> {
    await this.#post('/label/train', []);
    this.#memory.confirm('train');
  }

  /** null while the crawl is being opened. */
  async #screen(path: string): Promise<Screen | null> {
    const { status, text } = await this.#client.get(path);
    if (status === 400 && text.includes('is being opened')) return null;
    if (status !== 200) throw new Error(`${path}: ${status} ${text.replace(/<[^>]*>/g, ' ').slice(-200)}`);
    return this.#client.parsed(text);
  }

  async #question(ofHost: boolean): Promise<boolean> {
    const screen = await this.#screen('/label');
    const url = screen?.querySelector('.question .url')?.textContent ?? null;
    if (url === null) return false;
    const pages = Number(/\d+/.exec(screen?.querySelector('[data-key="h"]')?.textContent ?? '')?.[0]);
    if (ofHost && pages <= MOST_OF_PLACE) return this.#noneOf(url, pages);
    const answer = this.#rng() < 0.1 ? 'skip' : this.#truth(url);
    this.#memory.sent.set(url, answer);
    await this.#post('/label/answer', [
      ['url', url],
      ['answer', KEYS[answer]],
    ]);
    this.#memory.confirm('one');
    return true;
  }

  /** The page itself is one of them. */
  async #noneOf(url: string, pages: number): Promise<boolean> {
    const { hostname } = new URL(url);
    this.#memory.sent.set(url, 'n');
    this.#memory.sentHost = hostname;
    await this.#post('/label/none-of', [
      ['url', url],
      ['place', hostname],
    ]);
    this.#memory.confirm('none', { host: hostname, pages: pages - 1 });
    return true;
  }

  async #grid(): Promise<boolean> {
    const screen = await this.#screen('/label/grid');
    const boxes = [...(screen?.querySelectorAll('.cards input[type="checkbox"]') ?? [])];
    const urls = boxes.map((box) => box.getAttribute('value') ?? '');
    if (urls.length === 0) return false;
    for (const url of urls) this.#memory.sent.set(url, this.#truth(url));
    const checked = urls.filter((url) => this.#truth(url) === 'y');
    await this.#post('/label/answers', [...pairs('url', urls), ...pairs('yes', checked)]);
    this.#memory.confirm('grid');
    return true;
  }

  /** One of the last pages is wrong, as the person says. */
  async #last(): Promise<boolean> {
    const rows = [...((await this.#screen('/'))?.querySelectorAll('.last tbody tr') ?? [])];
    const offered = rows.filter((row) => row.querySelector('input[name="answer"]') !== null);
    const row = offered[Math.floor(this.#rng() * offered.length)];
    if (row === undefined) return false;
    const url = row.querySelector('.url')?.textContent ?? '';
    const answer = row.querySelector('input[name="answer"]')?.getAttribute('value') === 'y' ? 'y' : 'n';
    this.#memory.sent.set(url, answer);
    await this.#post('/label/page', [
      ['url', url],
      ['answer', answer],
    ]);
    this.#memory.confirm('last');
    return true;
  }

  /** Sends a form; again in a moment, as the page asks, while it opens the crawl. */
  async #post(path: string, fields: [string, string][], left = OPENINGS): Promise<void> {
    const { status, text } = await this.#client.post(path, fields);
    if (status !== 303 && left > 0 && text.includes('the crawl is being opened')) {
      await setTimeout(200);
      return this.#post(path, fields, left - 1);
    }
    if (status !== 303) throw new Error(`${path}: ${status} ${text.replace(/<[^>]*>/g, ' ').slice(-200)}`);
  }
}

function pairs(name: string, values: readonly string[]): [string, string][] {
  return values.map((value) => [name, value]);
}
