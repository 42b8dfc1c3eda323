import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlReport, type CrawlStatus, crawl, UsageError, verify } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { CrawlAnswers } from '../../../src/faces/app/crawl-answers.ts';
import { GivenPages } from '../../../src/reading/topic/given-pages.ts';
import { LabelLog } from '../../../src/study/label/label-log.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, foragerWith, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn, trainedOnAll } from './small-web.ts';

const small = smallWeb();
let topic: string;
let served: Served;
beforeAll(async () => {
  topic = await trainedOn(small);
  served = await small.serve();
});
afterAll(() => small.close());

function argsOf(dir: string, ...more: string[]): string[] {
  const options = ['--proxy', served.proxy, '--delay', '0ms', '--concurrency', '1'];
  return ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, ...options, ...more];
}

/** A program that answers y to all, and keeps its input. */
const YES = `
import { writeFileSync } from 'node:fs';
let input = '';
for await (const chunk of process.stdin) input += chunk;
writeFileSync(process.argv[2], input);
for (const line of input.trimEnd().split('\\n')) console.log(JSON.stringify({ id: JSON.parse(line).id, label: 'y' }));
`;

interface Question {
  readonly url: string;
  readonly queue: string;
}

function asked(dir: string): { readonly visits: number; readonly questions: readonly Question[] }[] {
  const { batches } = JSON.parse(readFileSync(join(dir, 'labelling', 'questions.json'), 'utf8')) as {
    batches: { visits: number; questions: Question[] }[];
  };
  return batches;
}

function urlsIn(screen: string): string[] {
  return [...screen.matchAll(/^http:\S+$/gm)].map(([url]) => url);
}

test('questions at their visits: stored, announced, shown first by label, and closed by answers of any way', async () => {
  const dir = small.path('asked');
  const { code, stdout, stderr } = await forager(...argsOf(dir, '--ask', '6@40,3@80', '--max-pages', '90'));
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stderr).toContain(`6 questions wait for answers: npx forager label ${dir}`);
  expect(stdout).toContain(`9 questions wait for answers: npx forager label ${dir}`);
  const batches = asked(dir);
  expect(batches.map(({ visits, questions }) => [visits, questions.length])).toEqual([
    [40, 6],
    [80, 3],
  ]);
  expect(batches.flatMap(({ questions }) => questions).filter(({ queue }) => queue === 'random')).toHaveLength(3);
  const urls = batches.flatMap(({ questions }) => questions.map(({ url }) => url));
  expect(new Set(urls).size).toBe(9);

  const shown = await foragerWith('y\nn\nn\ny\nq\n', 'label', dir, '--no-retrain');
  expect(urlsIn(shown.stdout)).toEqual(urls.slice(0, 5));
  expect(await done('status', dir)).toContain('5 questions wait for answers');
  const file = small.path('answers.csv');
  writeFileSync(file, urls.map((url) => `${url},n`).join('\n'));
  await foragerWith('', 'label', 'import', dir, file, '--no-retrain');
  const status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  expect(status.questions).toBe(0);
  const after = await foragerWith('q\n', 'label', dir, '--no-retrain');
  expect(urls).not.toContain(urlsIn(after.stdout)[0]);
  expect((await verify({ dir })).faults).toBe(0);
});

wholeTest('a killed crawl asks again only for moments whose questions are not stored; a resumed one keeps the moments', async () => {
  const dir = small.path('resumed');
  const report = (stdout: string) => (JSON.parse(stdout) as CrawlReport).questions;
  expect(report(await done(...argsOf(dir, '--ask', '3@20,3@60', '--max-pages', '30', '--json')))).toBe(3);
  const first = asked(dir)[0];
  expect(report(await done(...argsOf(dir, '--max-pages', '70', '--json')))).toBe(6);
  expect(asked(dir)[0]).toEqual(first);
  expect(asked(dir)).toHaveLength(2);
  expect(report(await done(...argsOf(dir, '--ask', 'none', '--max-pages', '80', '--json')))).toBe(6);
  expect((JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as { ask: unknown }).ask).toEqual([]);
});

wholeTest('a damaged file of questions is found by verify, refused by status with a remedy, and the remedy works', async () => {
  const dir = small.path('damaged');
  await done(...argsOf(dir, '--ask', '3@20', '--max-pages', '30'));
  const path = join(dir, 'labelling', 'questions.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"visits":20', '"visits":21'));
  const { checks, faults } = await verify({ dir });
  expect({ faults, named: checks.filter((check) => JSON.stringify(check).includes('questions.json')).length }).toEqual({
    faults: 1,
    named: 1,
  });
  await refused(3, [path, 'delete it'], 'status', dir);
  await refused(3, [path, 'delete it'], ...argsOf(dir, '--max-pages', '40'));
  rmSync(path);
  await done(...argsOf(dir, '--max-pages', '40'));
  expect(asked(dir)).toHaveLength(1);
});

test.each([
  ['15', 'not questions at visits'],
  ['15@', 'not questions at visits'],
  ['0@80', 'number of questions'],
  ['15@0', 'number of visits'],
  ['15@80,10@80', 'twice'],
])('--ask %s is refused', (value, part) => refused(2, [part], ...argsOf(small.path('refused'), '--ask', value)));

test('the library refuses the same', async () => {
  const dir = small.path('library');
  await expect(crawl({ dir, topic, seeds: small.seeds, ask: [{ questions: 0, visits: 3 }] })).rejects.toThrow(UsageError);
});

wholeTest('--answers-by: a program answers while the crawl runs, a person has precedence, and the crawl trains itself', async () => {
  const wide = smallWeb(600);
  try {
    const slow = await wide.serve({ latency: 120 });
    const dir = wide.path('crawl');
    const truth = wide.path('answers.mjs');
    const pages = `let input = ''; for await (const chunk of process.stdin) input += chunk; const pages = input.trimEnd().split('\\n').map((line) => JSON.parse(line));`;
    const onTopic = wide.web.urls().filter((url) => wide.web.topicOf(url) === wide.topic);
    writeFileSync(
      truth,
      `${pages} const onTopic = new Set(${JSON.stringify(onTopic)}); for (const { id, url, text } of pages) console.log(JSON.stringify({ id, label: text && onTopic.has(url) ? 'y' : 'n' }));`,
    );
    const options = ['--proxy', slow.proxy, '--delay', '0ms', '--concurrency', '1', '--max-pages', '450', '--ask', '15@60,9@150'];
    const command = `"${process.execPath}" "${truth}"`;
    const model = await trainedOnAll(wide);
    const run = start(['crawl', dir, '--topic', model, '--seeds', ...wide.seeds, ...options, '--answers-by', command]);
    await run.says('trained again with');
    const answersOf = () => {
      const lines = readFileSync(join(dir, 'labels.jsonl'), 'utf8').trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as { url?: string; answer?: string }).filter(({ url }) => url !== undefined);
    };
    // The crawl is slow enough to outlast a training on a busy machine, so it is ended when both batches are answered.
    const counts = () => [asked(dir).length, answersOf().length];
    const questions = () => new Set(asked(dir).flatMap((batch) => batch.questions.map(({ url }) => url))).size;
    await expect.poll(counts, { timeout: HANGS }).toEqual([2, 24]);
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain('wait for answers');
    const answers = answersOf();
    expect(answers.length).toBe(questions());
    for (const { url = '', answer } of answers) expect(answer).toBe(wide.web.topicOf(url) === wide.topic ? 'y' : 'n');
    expect((await verify({ dir })).faults).toBe(0);
  } finally {
    await wide.close();
  }
});

wholeTest('--answers-by: a page of the training has its answer, and the program is not asked about it', async () => {
  const dir = small.path('own-example');
  await done(...argsOf(dir, '--ask', '6@20', '--max-pages', '40'));
  const urls = asked(dir).flatMap(({ questions }) => questions.map(({ url }) => url));
  const [own = '', other = ''] = urls;
  const rows = [
    { id: 'a', url: own, title: '', role: 'example', counts: [] },
    { id: 'b', url: other, title: '', role: 'irrelevant', counts: [] },
  ] as unknown as ConstructorParameters<typeof GivenPages>[0];
  const sent = small.path('sent.jsonl');
  writeFileSync(small.path('yes.mjs'), YES);
  const crawled = openCrawl(dir);
  const command = `"${process.execPath}" "${small.path('yes.mjs')}" "${sent}"`;
  const answers = new CrawlAnswers({ paths: crawlPaths(dir), command, warn: () => undefined, given: new GivenPages(rows) });
  answers.committed(1, { frontier: crawled.frontier, modelId: crawled.manifest.topic.id });
  const stored = () => LabelLog.open(crawlPaths(dir).labels, undefined, () => undefined).state.answers;
  await expect.poll(() => stored().size, { timeout: HANGS }).toBe(urls.length);
  await answers.close();
  expect([stored().get(own), stored().get(other)]).toEqual(['y', 'n']);
  const lines = readFileSync(sent, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url).sort()).toEqual(urls.slice(2).sort());
});

wholeTest('a program that fails costs its answers, never the crawl; without questions it is refused', async () => {
  const dir = small.path('failing');
  const failing = ['--ask', '3@20', '--answers-by', 'echo no model >&2; exit 4', '--max-pages', '40'];
  const { code, stdout, stderr } = await forager(...argsOf(dir, ...failing));
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /--answers-by: answered 0 of 3 questions; (exit code 4: no model|the crawl ended); the others wait for npx forager label/,
  );
  expect(stdout).toContain('3 questions wait for answers');
  await refused(2, ['--answers-by', '--ask 15@80'], ...argsOf(small.path('unasked'), '--answers-by', 'true'));
});
