/** Questions of a crawl are stored after the commit of their pages, once, whenever it dies. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import { crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { CrawlQuestions } from '../../../src/faces/app/crawl-questions.ts';
import { judgedPages } from '../../../src/study/label/judged-pages.ts';
import { readQuestions } from '../../../src/study/label/questions-file.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { startScript } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const made = small.path('made');
let begun: {
  readonly topic: string;
  readonly seeds: readonly string[];
  readonly proxy: string;
  readonly delay: number;
  readonly concurrency: number;
};
beforeAll(async () => {
  const { proxy } = await small.serve();
  begun = { topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, concurrency: 1 };
  await crawl({ ...begun, dir: made, maxPages: 30 });
});
afterAll(() => small.close());

/** A crawl of 30 visits, to be asked about; and what it says. */
function copied(name: string): {
  readonly crawl: OpenCrawl;
  readonly questions: () => CrawlQuestions;
  readonly said: CrawlEvent[];
  readonly stored: () => number[];
} {
  const dir = small.path(name);
  cpSync(made, dir, { recursive: true });
  const opened = openCrawl(dir);
  const said: CrawlEvent[] = [];
  const manifest = { ...opened.manifest, ask: [{ questions: 3, visits: 20 }] };
  const questions = () =>
    new CrawlQuestions({
      ...{ paths: opened.paths, manifest, emit: (event) => said.push(event) },
      warn: (message) => {
        throw new Error(message);
      },
    });
  return { crawl: opened, questions, said, stored: () => readQuestions(opened.paths).map(({ visits }) => visits) };
}

test('a commit that began before the last page asked about was settled does not store the questions; the next one does', async () => {
  const { crawl, questions, said, stored } = copied('between');
  const asking = questions();
  // Two settlements wait, and a commit of the first one is on its way.
  asking.settled({ ...crawl, frontier: { ...crawl.frontier, counts: () => ({ ...crawl.frontier.counts(), visited: 19 }) } });
  asking.settled(crawl);
  asking.settled(crawl);
  expect([asking.batches, asking.open, stored()]).toEqual([0, 0, []]);
  asking.committed(1);
  expect(stored()).toEqual([]);
  asking.committed(2);
  expect([asking.batches, asking.open, stored()]).toEqual([1, 3, [20]]);
  expect(said).toMatchObject([{ type: 'asked', visits: 20, questions: 3 }]);
  asking.committed(5);
  expect(said).toHaveLength(1);
  await crawl.close();
});

test('a run asks as it begins what the one before chose and did not store, and nothing twice', async () => {
  const { crawl, questions, said, stored } = copied('begun');
  questions().settled(crawl);
  expect(stored()).toEqual([]);
  questions().begin(crawl);
  expect(stored()).toEqual([20]);
  const third = questions();
  third.begin(crawl);
  third.settled(crawl);
  third.committed(1);
  expect([stored(), said.length]).toEqual([[20], 1]);
  await crawl.close();
});

async function killed(dir: string, type: CrawlEvent['type']): Promise<void> {
  const options = { ...begun, dir, maxPages: 20, ask: [{ questions: 6, visits: 20 }] };
  const script = join(import.meta.dirname, 'killed-asking.mjs');
  const run = startScript(script, [JSON.stringify(options), type, '20']);
  const { code, stderr } = await run.ended;
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
}

/** Questions in the crawl's directory, and those among them whose page is not committed. */
async function questionsIn(dir: string): Promise<{ readonly questions: string[]; readonly without: string[] }> {
  const opened = openCrawl(dir);
  const pages = new Set<string>(judgedPages(opened).map(({ url }) => url));
  await opened.close();
  const questions = readQuestions(crawlPaths(dir)).flatMap((batch) => batch.questions.map(({ url }) => url));
  return { questions, without: questions.filter((url) => !pages.has(url)) };
}

wholeTest('kill -9 after the commit and before the questions: the next run asks them, though it visits nothing more', async () => {
  const dir = small.path('killed-before');
  await killed(dir, 'committed');
  expect((await questionsIn(dir)).questions).toEqual([]);
  const { counts, questions } = await crawl({ dir, proxy: begun.proxy, maxPages: 20 });
  expect([counts.visited, questions]).toEqual([20, 6]);
  expect((await questionsIn(dir)).questions).toHaveLength(6);
});

wholeTest('kill -9 at the moment the questions are stored: each has its page, and the next run asks no others', async () => {
  const dir = small.path('killed-after');
  await killed(dir, 'asked');
  const before = await questionsIn(dir);
  expect([before.questions.length, before.without]).toEqual([6, []]);
  await crawl({ dir, proxy: begun.proxy, maxPages: 30 });
  expect(await questionsIn(dir)).toEqual(before);
});
