/** The facts of real crawls on the cards of their corpora: of one topic, of several, and merged. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type CrawlReport, crawl, harvest, mergeCorpora, openLabelling, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CorpusCard } from '../../../dist/corpus/describe/corpus-card.js';
import type { ModelCard } from '../../../dist/reading/topic/card.js';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';

const small = smallWeb(240, 4);
const { path, web } = small;
const SUBJECT = 'the first subject, “in words” – with a | bar';
const SCOPE = ['domain:example', 'not:regex:[37][^0-9]*$'];
const dir = path('crawl');
let report: CrawlReport;
afterAll(() => small.close());

beforeAll(async () => {
  const served = await small.serve();
  const topic: string[] = [];
  for (const [i, name] of ['one', 'two'].entries()) {
    const examples = path(`examples-${name}`);
    mkdirSync(examples);
    for (const [j, html] of web.examples(`topic-${i + 1}`, 8).entries()) writeFileSync(`${examples}/${j}.html`, html);
    topic.push(await trainedOnce({ examples: [examples], out: path('models', name) }));
  }
  writeFileSync(path('models', 'one', 'card.json'), JSON.stringify({ ...modelCard('one'), subject: SUBJECT }));
  const seeds = [...web.seeds('topic-1', 2), ...web.seeds('topic-2', 2)];
  const how = { proxy: served.proxy, delay: 0, concurrency: 1, contact: 'me@example.org', maxPages: 80, maxDepth: 6, scope: SCOPE };
  report = await crawl({ dir, topic, seeds, ...how });
});

const modelCard = (name: string) => JSON.parse(readFileSync(path('models', name, 'card.json'), 'utf8')) as ModelCard;

const card = (out: string) => JSON.parse(readFileSync(path(out, 'corpus-card.json'), 'utf8')) as CorpusCard;

test('subject, terms, scope, limits, refusals and failures are those of model card, crawl and report', async () => {
  await done('harvest', dir, '--out', path('plain'));
  const { crawl: facts, wordQuartiles, texts, records } = card('plain');
  const training = facts.training?.find(({ name }) => name === 'one');
  expect(training).toMatchObject({ subject: SUBJECT, terms: { for: modelCard('one').termsFor.map(({ feature }) => feature) } });
  expect(facts.rules).toMatchObject({ scope: SCOPE, maxDepth: 6, maxPagesPerHost: null, proxied: true, sitemaps: 'auto' });
  const { refusals, failures } = report;
  expect(facts).toMatchObject({ refusals, failures });
  expect(Object.values(facts.refusals ?? {}).reduce((sum, n = 0) => (sum ?? 0) + n, 0)).toBe(facts.ledger.refused ?? -1);
  expect(wordQuartiles.toSorted((a, b) => a - b)).toEqual(wordQuartiles);
  expect(wordQuartiles.at(-1)).toBeGreaterThanOrEqual(texts.words / records.kept);
  // Against the bundled background, `train` prints no figures.
  const text = readFileSync(path('plain', 'corpus-card.md'), 'utf8');
  expect(text).toContain('average precision: not measured; at the threshold: precision not measured');
  expect(text).toContain('the first subject, “in words” – with a \\| bar');
  expect(readFileSync(path('plain', 'ro-crate-metadata.json'), 'utf8')).toContain('Scope: domain:example, not:regex:');
});

wholeTest('the pages on each of several topics have their figure; a merge has that of its parts', async () => {
  const labelling = await openLabelling({ dir, topicName: 'one' });
  for (let question = await labelling.next(), i = 0; question !== null && i < 36; question = await labelling.next(), i++)
    await labelling.answer(web.topicOf(question.url) === 'topic-1' ? 'y' : 'n');
  await labelling.close();
  const printed = await done('harvest', dir, '--out', path('both'));
  expect(printed).toMatch(/one: precision of the pages in this corpus: \d/);
  expect(printed).toMatch(/two: precision: not measured; to measure it: npx forager label .* --topic-name two/);
  const [first, second] = card('both').topics ?? [];
  expect(first?.inCorpus?.pages).toBe(first?.pages);
  expect(second).not.toHaveProperty('inCorpus');
  await harvest({ dir, out: path('chosen'), minRelevance: 0.1 });
  expect(card('chosen').topics?.[0]).not.toHaveProperty('inCorpus');

  await harvest({ dir, out: path('one'), topicName: 'one' });
  const { precision } = card('one');
  expect(precision).toEqual(first?.inCorpus);
  await mergeCorpora({ corpora: [path('one'), dir], out: path('merged') });
  const merged = card('merged');
  expect(merged.precision).toBeNull();
  expect(sumOfTaken(merged)).toBe(merged.records.kept);
  expect(merged.corpora?.find(({ name }) => name === 'one')?.precision).toEqual(precision);
  expect(merged.corpora?.find(({ name }) => name === 'crawl')).not.toHaveProperty('precision');
  expect(merged.crawl.training?.map(({ name }) => name).sort()).toEqual(['one', 'two']);
  // A part that was merged itself is one part, whatever the origin of its pages.
  await mergeCorpora({ corpora: [path('merged'), path('both')], out: path('nested') });
  expect(card('nested').corpora).toHaveLength(2);
  expect(sumOfTaken(card('nested'))).toBe(card('nested').records.kept);
});

wholeTest('after a training, the topic has the figure of the pages that a harvest takes, and its subject', async () => {
  const [first] = card('both').topics ?? [];
  await done('label', 'train', dir, '--topic-name', 'one', '--even-if-worse');
  await harvest({ dir, out: path('trained') });
  const [trained] = card('trained').topics ?? [];
  expect(trained?.modelId).not.toBe(first?.modelId);
  expect(trained?.inCorpus).toEqual((await status(dir)).topics[0]?.harvest);
  expect(card('trained').crawl.training?.find(({ name }) => name === 'one')).toMatchObject({ subject: SUBJECT, modelId: trained?.modelId });
});

function sumOfTaken({ corpora = [] }: CorpusCard): number {
  return corpora.reduce((sum, { taken }) => sum + taken, 0);
}
