/** Saved files of pages that the crawl then finds: they have no URL. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, openLabelling } from 'forager';
import { openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect } from 'vitest';
import { readTraining } from '../../../src/reading/topic/training-file.ts';
import { readQuestions } from '../../../src/study/label/questions-file.ts';
import { smallWeb, trainedOn } from '../../faces/cli/small-web.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';

const small = smallWeb();
const dir = small.path('own');
const VISITS = 60;
/** The URLs of the saved pages. */
const saved = { example: [] as string[], irrelevant: [] as string[] };

beforeAll(async () => {
  const { proxy } = await small.serve();
  const common = { seeds: small.seeds, proxy, delay: 0, concurrency: 1, strategy: 'bfs' } as const;
  await crawl({ ...common, dir: small.path('before'), topic: await trainedOn(small), maxPages: VISITS });
  const before = openCrawl(small.path('before'));
  const lines = [...before.frontier.ledger()];
  await before.close();
  const isOf = (url: string) => small.web.page(url)?.topic ?? null;
  const some = (urls: readonly string[]) => urls.filter((url) => small.web.page(url)?.duplicateOf === null);
  saved.example = some(lines.flatMap(({ url, state }) => (state === 'kept' && isOf(url) === small.topic ? [url] : []))).slice(3, 9);
  saved.irrelevant = some(lines.flatMap(({ url, state }) => (state === 'off-topic' && isOf(url) !== null ? [url] : []))).slice(0, 2);
  for (const [role, urls] of Object.entries(saved)) save(role, urls);
  const topic = await trainedOnce({
    examples: [small.examples, small.path('saved-example')],
    irrelevant: [small.path('saved-irrelevant')],
    out: small.path('own-model'),
  });
  await crawl({ ...common, dir, topic, maxPages: VISITS, ask: [{ questions: 30, visits: 50 }] });
});
afterAll(() => small.close());

/** As a browser saves them on another day: without a URL, with another header and footer. */
function save(role: string, urls: readonly string[]): void {
  mkdirSync(small.path(`saved-${role}`));
  for (const [i, url] of urls.entries()) {
    const html = (small.web.page(url)?.html ?? '').replace(/<link[^>]*canonical[^>]*>/g, '');
    const dressed = html
      .replace(/<body[^>]*>/, '$&<header><p>Saved on a Friday</p></header>')
      .replace('</body>', '<footer><p>Saved copy</p></footer></body>');
    writeFileSync(join(small.path(`saved-${role}`), `page-${i}.html`), dressed);
  }
}

wholeTest(
  'saved files are asked about by no queue and no question of the crawl; their draws count as given; a training has each once and names the file',
  async () => {
    expect([saved.example.length, saved.irrelevant.length]).toEqual([6, 2]);
    const own = new Map([...saved.example.map((url) => [url, 'y'] as const), ...saved.irrelevant.map((url) => [url, 'n'] as const)]);
    const opened = openCrawl(dir);
    const asked = readQuestions(opened.paths).flatMap(({ questions }) => questions);
    const judged = new Set([...opened.frontier.ledger()].flatMap(({ url, relevance }) => (relevance === null ? [] : [url as string])));
    await opened.close();
    for (const url of own.keys()) expect(judged).toContain(url);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(({ url, queue }) => queue === 'spread' && own.has(url))).toEqual([]);
    const labelling = await openLabelling({ dir });
    const seen: string[] = [];
    for (let question = await labelling.next(); question !== null; question = await labelling.next()) {
      seen.push(question.url);
      await labelling.answer(small.web.page(question.url)?.topic === small.topic ? 'y' : 'n');
    }
    expect(seen.filter((url) => own.has(url))).toEqual([]);
    expect(seen.length).toBeGreaterThan(20);
    const said: string[] = [];
    const { to, active } = await labelling.relabel({ warn: (message) => said.push(message), evenIfWorse: true });
    expect(active).toBe(true);
    const lines = labelling.csv.split('\n');
    for (const [url, answer] of own) expect(lines.filter((line) => line.startsWith(url)).map((line) => line.at(-1))).toEqual([answer]);
    await labelling.close();
    expect(said.join('\n')).toMatch(/page-\d\.html is the page http:\S+ that you also labelled \(8 such pairs\): each counts once/);
    const rows = (await readTraining(join(dir, 'models', to)))?.rows ?? [];
    expect(rows.filter(({ id }) => id.includes('saved-'))).toEqual([]);
    const once = rows.filter(({ url }) => own.has(url ?? ''));
    expect(once.map(({ role }) => role).sort()).toEqual([...Array<string>(6).fill('example'), ...Array<string>(2).fill('irrelevant')]);
  },
);
