import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlReport, type CrawlStatus, crawl, openLabelling, train } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { precisionLine } from '../../../src/corpus/describe/precision-text.ts';
import { doubtLine, harvestRateText, precisionLines, precisionText } from '../../../src/faces/cli/grounds-text.ts';
import { estimateLines } from '../../../src/faces/cli/label-screen.ts';
import { outlookLines } from '../../../src/faces/cli/outlook-text.ts';
import { hostDoubt } from '../../../src/reading/topic/doubts.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { PageClient } from '../web-ui/page-client.ts';
import { done } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

const OUTLOOK = {
  recent: { visits: 500, onTopic: 499 },
  outlook: { requests: 1000, onTopic: 1000, low: 977, high: 1000 },
  locality: { ofOnTopicPages: { followed: 10, onTopic: 9 }, ofOffTopicPages: { followed: 0, onTopic: 0 } },
  explored: { visits: 4, onTopic: 1, low: 0.1, high: 0.6 },
  pastOutlooks: { compared: [{ visits: 100 }, { visits: 350 }], held: 1, open: 3 },
} as unknown as Pick<CrawlStatus, 'recent' | 'outlook' | 'locality' | 'explored' | 'pastOutlooks'>;

test('a share by the model is called so on its own line; where that is known to mean nothing, there is no number', () => {
  expect(harvestRateText(0.999, [])).toBe('harvest rate 99.9 % (by the model; not measured)');
  expect(harvestRateText(0.999, ['one-host'])).toBe('harvest rate not known');
  expect(doubtLine('c', [], false)).toBeNull();
  expect(doubtLine('c', ['one-host', 'unlike-training'], false)).toBe(
    'rates and forecast are hidden: all example pages are of one host, so the model may know the host and not the subject; these pages look unlike your examples, so the model cannot judge itself. Remedy: give examples of 3 hosts or more, with their URLs; or answer 30 pages: npx forager label c',
  );
  expect(doubtLine('c', ['unlike-training'], true)).toContain('Remedy: answer 30 pages: npx forager label c --topic-name <name>');
  for (const line of outlookLines({ ...OUTLOOK, doubts: [] })) expect(line).toContain('by the model; not measured');
  expect(outlookLines({ ...OUTLOOK, doubts: [] })[1]).toMatch(/^earlier forecasts: 1 of 2 held/);
  const doubted = outlookLines({ ...OUTLOOK, doubts: ['one-host', 'unlike-training'] });
  expect(doubted).toEqual(['last 500 visits: 499 on topic (by the model; not measured)']);
});

test('a precision that is measured has its interval; one that is not, the command that measures it', () => {
  expect(
    precisionText({ dir: 'c' }, 'kept', {
      precision: { share: 0.71, low: 0.5, high: 0.86, answers: 20, pages: 90, known: 20 },
      drawn: null,
    }),
  ).toBe('precision of the pages the crawl kept: 71.0 % (95 % interval 50.0 % to 86.0 %), measured by 20 answers to pages drawn at random');
  expect(precisionText({ dir: 'c' }, 'kept', { precision: null, drawn: null })).toBe(
    'precision: not measured; to measure it: npx forager label c',
  );
  const drawn = { kept: 1, leftOut: 2, needed: 5 };
  expect(precisionText({ dir: 'c' }, 'kept', { precision: null, drawn })).toBe(
    'precision: not measured (1 answer to kept pages drawn at random; needed: 5); to measure it: npx forager label c',
  );
  const topics = [
    { name: 'a', id: 'i', threshold: 0.5, precision: null, harvest: null, drawn: null, coding: null, keptBeside: null },
    { name: 'b c', id: 'j', threshold: 0.5, precision: null, harvest: null, drawn, coding: null, keptBeside: null },
  ];
  expect(precisionLines('c', { precision: null, harvest: null, drawn: null, topics })).toEqual([
    'a: precision: not measured; to measure it: npx forager label c --topic-name a',
    "b c: precision: not measured (1 answer to kept pages drawn at random; needed: 5); to measure it: npx forager label c --topic-name 'b c'",
  ]);
});

/** The same words and numbers wherever a figure is shown. No page is omitted, so the corpus has all kept pages. */
async function expectOneFigure(dir: string, crawled: string): Promise<void> {
  const { precision } = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  if (precision === null) throw new Error('it is measured');
  const [kept, corpus] = [precisionLine('kept', precision), precisionLine('corpus', precision)];
  const labelling = await openLabelling({ dir });
  const labelled = estimateLines(labelling.estimate(), labelling.harvested()).join('\n');
  await labelling.close();
  for (const output of [crawled, await done('status', dir), labelled]) expect(output).toContain(kept);
  const out = small.path('one-figure');
  expect(await done('harvest', dir, '--out', out)).toContain(corpus);
  const card = JSON.parse(readFileSync(join(out, 'corpus-card.json'), 'utf8')) as CorpusCard;
  expect(card).toMatchObject({ basis: 'labels', precision, crawl: { labels: { precision } } });
  const markdown = readFileSync(join(out, 'corpus-card.md'), 'utf8');
  for (const line of [kept, corpus]) expect(markdown).toContain(`- ${line}`);
  for (const file of ['README.md', 'croissant.json', 'ro-crate-metadata.json'])
    expect({ file, text: readFileSync(join(out, file), 'utf8') }).toMatchObject({ text: expect.stringContaining(corpus.slice(1)) });
  const page = await openPage({ dir, address: '0', run: null });
  const client = await PageClient.of(page.url);
  for (const path of ['/', '/label?mode=measure', '/label/grid']) {
    const text = (await client.screen(path)).querySelector('main')?.textContent ?? '';
    expect({ path, text }).toMatchObject({ text: expect.stringContaining(kept.slice(1)) });
  }
  await page.close();
}

const hosts = (...names: string[]) => names.map((host) => ({ host, examples: 5 }));

test.each([
  ['one-host', hosts('a.test')],
  ['two-hosts', hosts('a.test', 'b.test')],
  ['unknown-hosts', hosts('(unknown)')],
  ['unknown-hosts', hosts('a.test', 'b.test', '(unknown)')],
  ['unknown-hosts', []],
  [null, hosts('a.test', 'b.test', 'c.test')],
  [null, hosts('a.test', 'b.test', 'c.test', '(unknown)')],
] as const)('what hosts of examples say against figures: %s', (doubt, examplesByHost) => {
  expect(hostDoubt({ method: 'positive-unlabelled', examplesByHost: [...examplesByHost] })).toBe(doubt);
  expect(hostDoubt({ method: 'keywords', examplesByHost: [...examplesByHost] })).toBeNull();
});

test('the end of a crawl, status, harvest and card say that precision is not measured, until answers measure it', async () => {
  const served = await small.serve();
  const topic = await trainedOn(small);
  const dir = small.path('crawl');
  // One request at a time: the order of answers would decide which page is the 31st, and a new page may be among the first that are drawn.
  const options = [
    '--seeds',
    ...small.seeds,
    '--proxy',
    served.proxy,
    '--delay',
    '0ms',
    '--contact',
    'me@example.org',
    '--concurrency',
    '1',
  ];
  const crawled = await done('crawl', dir, '--topic', topic, '--max-pages', '30', ...options);
  const notMeasured = `precision: not measured; to measure it: npx forager label ${dir}`;
  expect(crawled.trimEnd().split('\n').at(-1)).toBe(notMeasured);
  expect(crawled).toMatch(/^the page budget is spent: 30 visited, \d+ kept by the model; harvest rate not known$/m);
  expect(crawled).toContain(`resume:  npx forager crawl ${dir} --max-pages 60\n`);
  const before = await done('status', dir);
  expect(before).toContain(notMeasured);
  for (const output of [crawled, before]) {
    expect(output).not.toContain('%');
    // Why not is said once.
    expect(output.split('the example pages have no URL').length).toBe(2);
  }
  expect(await done('harvest', dir, '--out', small.path('before'))).toContain(notMeasured);
  expect(readFileSync(small.path('before', 'corpus-card.md'), 'utf8')).toContain(
    '- precision: not measured; the pages are on topic by the model alone',
  );

  const labelling = await openLabelling({ dir });
  for (let i = 0; i < 30; i++) {
    const question = await labelling.next();
    if (question === null) throw new Error('there is a page to ask about');
    await labelling.answer(small.web.topicOf(question.url) === small.topic ? 'y' : 'n');
  }
  const { share, interval } = labelling.estimate().kept;
  await labelling.close();
  const measured = `precision of the pages the crawl kept: ${((share ?? 0) * 100).toFixed(1)} % (95 % interval ${(interval.low * 100).toFixed(1)} %`;
  expect(await done('status', dir)).toContain(measured);
  const json = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  expect(json).toMatchObject({ basis: 'labels', precision: { share, ...interval }, doubts: expect.arrayContaining(['unknown-hosts']) });
  const resumed = await done(
    'crawl',
    dir,
    '--max-pages',
    '60',
    '--proxy',
    served.proxy,
    '--contact',
    'me@example.org',
    '--concurrency',
    '1',
  );
  expect(resumed.trimEnd().split('\n').at(-1)).toMatch(
    /^precision of the pages the crawl kept, of those read until .* \d+ pages? read later (is|are) not measured yet/,
  );
  await expectOneFigure(dir, resumed);
  writeFileSync(`${dir}/labels.jsonl`, 'no labels\n');
  const report = await crawl({ dir, maxPages: 61, proxy: served.proxy, contact: 'me@example.org', onEvent: () => {} });
  expect(report satisfies CrawlReport).toMatchObject({ basis: 'model', precision: null, counts: { visited: 61 } });
});

wholeTest('examples of three hosts: the harvest rate of a short crawl is told, as by the model', async () => {
  const served = await small.serve();
  const pages = small.web.examples(small.topic, 12).map((html, i) => JSON.stringify({ url: `http://h${i % 3}.example/${i}`, html }));
  writeFileSync(small.path('good.jsonl'), `${pages.join('\n')}\n`);
  const { card } = await train({ examples: [small.path('good.jsonl')], wordVectors: 'none', out: small.path('by-host') });
  expect(card.validation).toMatchObject({ folds: 'by-host', against: 'background' });
  expect(card.validation.precision).not.toBeNull();
  const dir = small.path('by-host-crawl');
  const report = await crawl({
    dir,
    topic: small.path('by-host'),
    seeds: small.seeds,
    proxy: served.proxy,
    delay: 0,
    maxPages: 20,
    concurrency: 1,
    contact: 'me@example.org',
  });
  expect(report).toMatchObject({ basis: 'model', precision: null, doubts: [] });
  expect(await done('status', dir)).toContain(`harvest rate ${(report.harvestRate * 100).toFixed(1)} % (by the model; not measured)`);
});

/** Twin of `expectOneFigure` for a topic that was trained again: the kept pages have one figure, those of a harvest another, wherever they are shown. */
wholeTest('after a training, each of the two figures is the same in every place', async () => {
  const served = await small.serve();
  const dir = small.path('retrained');
  const network = ['--proxy', served.proxy, '--delay', '0ms', '--contact', 'me@example.org', '--concurrency', '1'];
  const model = small.path('model-again');
  await train({ examples: [small.examples], wordVectors: 'none', out: model });
  await done('crawl', dir, '--topic', model, '--seeds', ...small.seeds, '--max-pages', '60', ...network);
  const labelling = await openLabelling({ dir });
  for (let i = 0, question = await labelling.next(); i < 45 && question !== null; i++, question = await labelling.next())
    await labelling.answer(small.web.topicOf(question.url) === small.topic ? 'y' : 'n');
  await labelling.close();
  const trained = await done('label', 'train', dir, '--even-if-worse');
  const { precision, harvest } = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  if (precision === null || harvest === null) throw new Error('both are measured');
  const lines = [precisionLine('kept', precision), precisionLine('harvest', harvest)];
  const again = await openLabelling({ dir });
  const labelled = estimateLines(again.estimate(), again.harvested()).join('\n');
  await again.close();
  const ended = await done('crawl', dir, '--max-pages', '60', ...network);
  for (const [place, text] of Object.entries({ status: await done('status', dir), labelled, ended }))
    for (const line of lines) expect({ place, text }).toMatchObject({ text: expect.stringContaining(line) });
  expect(trained).toContain(lines[1]);

  const out = small.path('retrained-corpus');
  const corpus = precisionLine('corpus', harvest);
  expect(await done('harvest', dir, '--out', out, '--dedupe', 'none')).toContain(corpus);
  const card = JSON.parse(readFileSync(join(out, 'corpus-card.json'), 'utf8')) as CorpusCard;
  expect(card).toMatchObject({ precision: harvest, crawl: { labels: { precision, harvest } } });
  for (const file of ['README.md', 'croissant.json', 'ro-crate-metadata.json'])
    expect({ file, text: readFileSync(join(out, file), 'utf8') }).toMatchObject({ text: expect.stringContaining(corpus.slice(1)) });
  const page = await openPage({ dir, address: '0', run: null });
  const client = await PageClient.of(page.url);
  const overview = (await client.screen('/')).querySelector('main')?.textContent ?? '';
  for (const line of lines) expect(overview).toContain(line.slice(1));
  await page.close();
});
