/**
 * Would a choice among text forms by labels help? The form of today (all visible text without the lines that pages of a host share) beside the main text alone, and beside
 * all visible text with those lines: average precision of other pages of the web, and whether held-out labels choose the form, as `vectorChoice` does for word vectors.
 *
 *   npm run bench -- text-forms [--web DIR] [--entries DIR] [--cache DIR] [--topics a,b] [--labels 60] [--draw 1]
 *
 * Each topic has ten examples. Its labels are drawn from the pages that a model of the examples finds best, since a person is asked about those. Needs what `bench -- focus` needs.
 */
import { parseArgs } from 'node:util';
import { pageTexts } from '../../src/base/core/page-texts.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { type Background, loadBackground } from '../../src/reading/topic/background.ts';
import { averagePrecision } from '../../src/reading/topic/evaluate.ts';
import { FeatureCounter } from '../../src/reading/topic/features.ts';
import { type PrecisionChange, precisionChange } from '../../src/reading/topic/paired-change.ts';
import { learnTopic } from '../../src/reading/topic/train-on-rows.ts';
import { type TrainingPage, type TrainingPages, type TrainingSet, trainingSet } from '../../src/reading/topic/training-set.ts';
import { loadWordVectors } from '../../src/reading/topic/word-vectors.ts';
import { mean } from '../../src/study/eval/bootstrap.ts';
import { type FocusTopic, focusTopics, kindOf, portalHosts } from './focus/topics.ts';
import { foldersOf, openWeb } from './focus/webs.ts';

const EXAMPLES = 10;
/** Pages that are labelled or judged: on topic by their share, and off topic. */
const POOL = { share: 400, leastOn: 35, mostOn: 115, off: 300 } as const;
/** Fewer pages of a kind among the labels, or among the rest, tell nothing. */
const LEAST = { labels: 3, rest: 8 } as const;
/** Seed of trainings and of the interval. */
const SEED = 1;

const FORMS = ['today', 'main text', 'with template'] as const;
type Form = (typeof FORMS)[number];

interface Labelled {
  readonly page: TrainingPage & { readonly url: string };
  readonly onTopic: boolean;
}

interface Problem {
  readonly examples: readonly TrainingPage[];
  readonly labels: readonly Labelled[];
  readonly rest: readonly Labelled[];
  readonly background: Background;
}

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    entries: { type: 'string' },
    cache: { type: 'string', default: '.cache/frozen' },
    topics: { type: 'string' },
    labels: { type: 'string', default: '60' },
    draw: { type: 'string', default: '1' },
  },
});
const folders = foldersOf(values.web, values.entries);
const wordVectors = await loadWordVectors();
const bundled = await loadBackground();
const found: { readonly kind: string; readonly gains: readonly number[]; readonly chosen: readonly boolean[] }[] = [];
process.stdout.write(
  `| topic | ${FORMS.join(' | ')} | held-out change, main text | held-out change, with template |\n|${' --- |'.repeat(6)}\n`,
);
for (const topic of focusTopics(portalHosts(values.web), folders)) {
  if (topic.web.kind === 'generated' || (values.topics?.split(',').every((word) => !topic.name.includes(word)) ?? false)) continue;
  const web = await openWeb(topic.web, folders, values.cache);
  const problem = await drawProblem(topic, web);
  web.close();
  if (problem !== null) await compare(topic, problem);
}
for (const kind of [...new Set(found.map((each) => each.kind)), 'all']) {
  const own = found.filter((each) => kind === 'all' || each.kind === kind);
  const gain = (at: number) => mean(own.map(({ gains }) => gains[at] ?? 0)).toFixed(3);
  const chosen = (at: number) => own.filter((each) => each.chosen[at]).length;
  process.stdout.write(
    `${kind}, ${own.length} topics: main text ${gain(0)}, chosen ${chosen(0)}; with template ${gain(1)}, chosen ${chosen(1)}\n`,
  );
}

async function drawProblem(topic: FocusTopic, web: FrozenWeb): Promise<Problem | null> {
  const rng = seededRng(Number(values.draw));
  const [on, off] = [true, false].map((kind) => shuffled(web.urls.filter((url) => topic.isOnTopic(url) === kind).sort(), rng));
  if (on === undefined || off === undefined) return null;
  const share = on.length / (on.length + off.length);
  const examples = taken(web, on, EXAMPLES);
  const count = Math.min(POOL.mostOn, Math.max(POOL.leastOn, Math.round(POOL.share * share)));
  const pool = [true, false].flatMap((onTopic) => {
    const pages = onTopic ? taken(web, on, count) : taken(web, off, POOL.off);
    return pages.map((page): Labelled => ({ page, onTopic }));
  });
  const hosts = new Set(web.urls.map((url) => new URL(url).hostname));
  const background = { ...bundled, sample: bundled.sample.filter(({ host }) => host === null || !hosts.has(host)) };
  const { model } = await learned(trainingSet({ examples, irrelevant: [], extraBackground: [] }, SEED), background);
  const scored = pool.map((each) => ({ each, score: model.logit(each.page) })).sort((a, b) => b.score - a.score);
  const best = Math.max(3 * Number(values.labels), 2 * pool.filter(({ onTopic }) => onTopic).length);
  const labels = shuffled(scored.slice(0, best), rng).slice(0, Number(values.labels));
  const chosen = new Set(labels.map(({ each }) => each));
  const rest = scored.map(({ each }) => each).filter((each) => !chosen.has(each));
  const least = (of: Iterable<Labelled>) =>
    Math.min(...[true, false].map((kind) => [...of].filter(({ onTopic }) => onTopic === kind).length));
  return least(chosen) < LEAST.labels || least(rest) < LEAST.rest ? null : { examples, labels: [...chosen], rest, background };
}

/** Takes so many pages off the end of a list of URLs. */
function taken(web: FrozenWeb, urls: FrozenWeb['urls'][number][], count: number): Labelled['page'][] {
  const pages: Labelled['page'][] = [];
  for (let url = urls.pop(); url !== undefined; url = pages.length < count ? urls.pop() : undefined) {
    const visit = web.visit(web.indexOf(url));
    if (visit.kind === 'page') pages.push({ id: url, url, ...pageTexts(visit.content), language: null });
  }
  return pages;
}

function learned({ rows, template }: Pick<TrainingSet, 'rows' | 'template'>, background: Background) {
  const common = { name: 'forms', seed: SEED, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench' };
  return learnTopic(rows, { ...common, background, wordVectors, template });
}

async function compare(topic: FocusTopic, { examples, labels, rest, background }: Problem): Promise<void> {
  const scored = [];
  for (const form of FORMS) {
    const of = (page: TrainingPage) => (form === 'main text' ? withoutOther(page) : page);
    const given = (kind: boolean) => labels.filter(({ onTopic }) => onTopic === kind).map(({ page }) => of(page));
    const set = rowsOf(form, { examples: [...examples.map(of), ...given(true)], irrelevant: given(false), extraBackground: [] });
    const { model, held } = await learned(set, background);
    const precision = averagePrecision(rest.map(({ page, onTopic }) => ({ score: model.logit(of(page)), onTopic })));
    scored.push({ precision, held: new Map(held.map(({ row, score }) => [row.page?.id ?? '', score])) });
  }
  const [today, ...others] = scored;
  if (today === undefined) return;
  const changes = others.map((other) => changeOf(labels, today.held, other.held));
  const cells = changes.map(({ change: { low, high } }) => `${low.toFixed(3)} to ${high.toFixed(3)}`);
  process.stdout.write(`| ${[topic.name, ...scored.map(({ precision }) => precision.toFixed(3)), ...cells].join(' | ')} |\n`);
  const gains = others.map(({ precision }) => precision - today.precision);
  found.push({ kind: kindOf(topic), gains, chosen: changes.map(({ change }) => change.low > 0) });
}

function changeOf(labels: readonly Labelled[], before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): PrecisionChange {
  const pages = labels.flatMap(({ page: { id, url }, onTopic }) => {
    const [old, now] = [before.get(id), after.get(id)];
    return old === undefined || now === undefined ? [] : [{ host: new URL(url).hostname, onTopic, before: old, after: now }];
  });
  return precisionChange(pages, new Set(pages.map(({ host }) => host)).size === 1, SEED);
}

function withoutOther({ otherText: _, ...page }: TrainingPage): TrainingPage {
  return page;
}

function rowsOf(form: Form, pages: TrainingPages): Pick<TrainingSet, 'rows' | 'template'> {
  const { rows, template } = trainingSet(pages, SEED);
  if (form !== 'with template') return { rows, template };
  const counter = new FeatureCounter();
  return { rows: rows.map((row) => (row.page === null ? row : { ...row, counts: counter.snapshot(row.page) })), template: [] };
}
