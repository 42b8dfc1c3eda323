/**
 * Crawls whose screens are worth a look: one of the generated web with labels and another strategy beside it, one with everything that spoils a layout,
 * and one without a visit.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlEvent, crawl, openLabelling } from 'forager';
import { DEMO_WEB } from '../../../datasets/generated-web/demo-web.ts';
import { startGeneratedWeb } from '../../../datasets/generated-web/serve.ts';
import { type GeneratedWeb, generateWeb } from '../../../datasets/generated-web/web.ts';
import { htmlAnswer, notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { crawlPaths } from '../../../dist/crawling/crawl-dir/crawl-directory.js';
import { projectText } from '../../../dist/faces/app/project-file.js';
import { storeReport } from '../../../dist/study/watch/watch-files.js';
import { madeReport } from '../../support/made-reports.ts';
import { trainedOnce } from '../../support/trained-once.ts';

const TOPIC = 'topic-1';
const VISITS = 600;
/** Random answers: the interval of the precision is then about as wide as a careful user has it. */
const ANSWERS = 60;

export interface ShownCrawls {
  readonly plain: string;
  /** The same seeds and budget, breadth first. */
  readonly beside: string;
  readonly odd: string;
  readonly empty: string;
  /** An empty folder, and a project with a trained topic. */
  readonly begun: string;
  readonly trained: string;
  /** A kept page of the odd crawl with an Arabic title. */
  readonly oddPage: string;
  /** A kept page of the plain crawl that a link led to. */
  readonly plainPage: string;
}

/** Takes half a minute of one processor. */
export async function shownCrawls(folder: string): Promise<ShownCrawls> {
  const { plain, beside, plainPage } = await plainCrawls(folder);
  for (const number of [0, 1, 2, 3]) storeReport(crawlPaths(plain), madeReport(number));
  return { plain, beside, plainPage, ...(await oddCrawls(folder)), ...projects(folder) };
}

function projects(folder: string) {
  const [begun, trained] = [join(folder, 'new-project'), join(folder, 'peat-moss')];
  for (const dir of [begun, trained]) mkdirSync(dir);
  const seeds = ['https://www.example.org/moss/', 'https://bog.example.net/'];
  const answers = { subject: 'peat moss', contact: 'you@example.org', seeds, scope: [], maxPages: 500 };
  writeFileSync(join(trained, 'forager.yaml'), projectText({ ...answers, dir: '.', examples: ['examples'] }));
  cpSync(join(folder, 'model'), join(trained, 'models/peat-moss'), { recursive: true });
  return { begun, trained };
}

/** The web of `npm run demo`. */
async function plainCrawls(folder: string) {
  const web = generateWeb(DEMO_WEB);
  const server = await startGeneratedWeb(web);
  const topic = await trainedOn(web, folder, 'model');
  const dirs = { apprentice: join(folder, 'topic-1'), bfs: join(folder, 'topic-1-bfs') };
  const kept: string[] = [];
  for (const strategy of ['bfs', 'apprentice'] as const) {
    const seeds = web.seeds(TOPIC, 3);
    const onEvent = (event: CrawlEvent) => {
      if (event.type === 'judged' && event.onTopic) kept.push(event.url);
    };
    await crawl({ dir: dirs[strategy], topic, seeds, strategy, proxy: server.proxy, delay: 0, maxPages: VISITS, concurrency: 4, onEvent });
  }
  await server.close();
  await answered(dirs.apprentice, web);
  return { plain: dirs.apprentice, beside: dirs.bfs, plainPage: kept.at(-1) ?? '' };
}

async function trainedOn(web: GeneratedWeb, folder: string, name: string): Promise<string> {
  const examples = join(folder, `${name}-examples`);
  mkdirSync(examples, { recursive: true });
  for (const [i, html] of web.examples(TOPIC, 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const out = join(folder, name);
  return trainedOnce({ examples: [examples], out });
}

/** Random pages, answered as the web's own labels say, and by two people who do not agree on all of them. */
async function answered(dir: string, web: GeneratedWeb): Promise<void> {
  const session = await openLabelling({ dir, audit: ANSWERS });
  const urls: string[] = [];
  for (let question = await session.next(); question !== null; question = await session.next()) {
    urls.push(question.url);
    await session.answer(web.topicOf(question.url) === TOPIC ? 'y' : 'n');
  }
  const answerOf = (url: string, isOther: boolean) => ((web.topicOf(url) === TOPIC) === isOther ? 'n' : 'y');
  const lines = (name: string, every: number) =>
    urls.map((url, i) => `${url},${name},${answerOf(url, i % every === every - 1)}\n`).join('');
  await session.importText(`url,name,label\n${lines('ben', 12)}${lines('anna', 20)}`);
  const [first] = session.coding.disagreements;
  if (first !== undefined) await session.decide(first.url, 'y');
  await session.close();
}

const DEAF = 'deaf.example';
const CLOSED = 'closed.example';
/** As long as a name of a host may be: labels of 63 characters, 253 in all. */
const LONG_HOST = `${'long-name-of-a-host-'.repeat(3)}one.${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(40)}.example`;
const TITLES = [
  'الطحالب والمستنقعات: دليل ميداني كامل لأنواع الطحالب في المناطق الرطبة',
  'מדריך שדה לטחבים ולביצות',
  '苔藓与泥炭地野外指南',
  'Wörterbuchbenutzungsforschungsgesellschaftsvorsitzendenkonferenz'.repeat(4),
  '',
  '<b>Not bold</b> & "quoted" \u202egnp.exe',
] as const;

/** Hosts as long as they may be, titles from right to left, parked patterns, dead hosts, and refusals. */
async function oddCrawls(folder: string) {
  const web = generateWeb({ seed: 5, pages: 300, hosts: 6, facetTrap: true, sessionTrap: true });
  const pages = oddPages(web);
  const server = await startWebProxy(withOdd(web, pages), { robots: new Map([[CLOSED, 'User-agent: *\nDisallow: /\n']]) });
  const topic = await trainedOn(web, folder, 'odd-model');
  const common = { topic, proxy: server.proxy, delay: 0, concurrency: 1 };
  const [odd, empty] = [join(folder, `odd-${'very-'.repeat(12)}long`), join(folder, 'empty')];
  const seeds = [...pages.keys(), `http://${DEAF}/`, `http://${CLOSED}/`, ...web.seeds(TOPIC, 2), 'http://shop.example/list'];
  await crawl({ ...common, dir: odd, seeds, strategy: 'random', maxPages: 250, optOut: emptyFile(folder) });
  await crawl({ ...common, dir: empty, seeds: [`http://${CLOSED}/`], maxPages: 10 });
  await server.close();
  return { odd, empty, oddPage: [...pages.keys()][0] ?? '' };
}

function emptyFile(folder: string): string {
  const path = join(folder, 'opt-out.txt');
  writeFileSync(path, '');
  return path;
}

/** Text of the topic under each title, each page linked from the others. */
function oddPages(web: GeneratedWeb): ReadonlyMap<string, string> {
  const urls = TITLES.map(
    (_, i) => `http://${i % 2 === 0 ? LONG_HOST : 'odd.example'}/${'path-without-a-break'.repeat(i * 8)}/${i}?q=${'%D8%A7'.repeat(20)}`,
  );
  const bodies = web.examples(TOPIC, TITLES.length).map((html) => /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '');
  const shown = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const links = urls.map((url, i) => `<a href="${shown(url)}?more">${shown(TITLES[i] ?? '')}</a> `).join('');
  return new Map(
    urls.map((url, i) => [
      url,
      `<html><head><title>${shown(TITLES[i] ?? '')}</title></head><body>${bodies[i]}<p>${shown(TITLES[i] ?? '')}</p>${links}</body></html>`,
    ]),
  );
}

function withOdd(web: GeneratedWeb, pages: ReadonlyMap<string, string>): PageSource {
  const busy: PageAnswer = { ...htmlAnswer(''), status: 503 };
  return {
    get: (host, path) => {
      if (host === DEAF && path !== '/robots.txt') return busy;
      const html = pages.get(`http://${host}${path}`);
      if (html !== undefined) return htmlAnswer(html);
      return web.source.get(host, path) ?? notFound();
    },
  };
}
