/**
 * Seeds without a search engine of one's own: precision at 50 of ranked lists and of suggested queries, against queries that a person would type, on
 * the labelled pages of the Debian web. The engine is BM25 over titles and texts. A hit is a page of the subject on a host that gave no example.
 *
 *   npm run bench -- seed-queries [--web DIR] [--split dev|report] [--draws 3] [--json FILE]
 *
 * Every second subject is for choosing settings (dev). Examples are 20 pages of half of the subject's hosts; their hosts are not searched.
 * Needs the Debian web: npm run data -- web-build --cap 800
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { train } from 'forager';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { type OpenTopicWords, openTopicWords } from '../../src/faces/app/topic-word-files.ts';
import type { ModelCard } from '../../src/reading/topic/card.ts';
import { suggestQueries } from '../../src/reading/topic/query-suggestions.ts';
import { bootstrapMean, type Observation } from '../../src/study/eval/bootstrap.ts';
import { Bm25 } from './seed-queries/bm25.ts';
import { type LabelledPage, labelledPages, subjectsOf } from './seed-queries/pages.ts';
import { writtenExamples } from './written-examples.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    split: { type: 'string', default: 'report' },
    draws: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});

const AT = 50;
/** The query that a person types first: all methods are compared with it. */
const NAME = 'keywords: the name';
const EXAMPLES = 20;
/** Results of a query, as search engines give them on a few pages. */
const RESULTS = 50;

interface Task {
  readonly subject: string;
  readonly draw: number;
  readonly words: OpenTopicWords;
  readonly card: ModelCard;
  /** Pages of hosts without examples. */
  readonly pages: readonly LabelledPage[];
  readonly engine: Bm25;
}

interface Found {
  readonly url: string;
  readonly title: string;
  readonly context?: string;
}

const figures: {
  readonly method: string;
  readonly subject: string;
  readonly draw: number;
  readonly precision: number;
  readonly hosts: number;
}[] = [];
const folder = mkdtempSync(join(tmpdir(), 'forager-seed-queries-'));
try {
  const all = labelledPages(values.web);
  process.stderr.write(`${all.length} pages read\n`);
  for (const subject of subjectsOf(values.split === 'dev' ? 'dev' : 'report'))
    for (let draw = 1; draw <= Number(values.draws); draw++) await measure(await taskOf(all, subject, draw));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printFigures();
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 1)}\n`);

async function taskOf(all: readonly LabelledPage[], subject: string, draw: number): Promise<Task> {
  const rng = seededRng(draw);
  const hosts = shuffled([...new Set(all.filter((page) => page.subject === subject).map(({ host }) => host))], rng);
  const given = new Set(hosts.slice(0, Math.floor(hosts.length / 2)));
  const examples = shuffled(
    all.filter(({ host }) => given.has(host)),
    rng,
  ).slice(0, EXAMPLES);
  const out = join(folder, `${subject}-${draw}`);
  const file = writtenExamples(
    `${out}.jsonl`,
    values.web,
    examples.map(({ url }) => decodeURI(url.slice('http://'.length))),
  );
  const { card } = await train({ examples: [file], subject: subject.replaceAll('-', ' '), out });
  const pages = all.filter(({ host }) => !given.has(host));
  return { subject, draw, card, words: await openTopicWords(out), pages, engine: new Bm25(pages) };
}

async function measure(task: Task): Promise<void> {
  const { card, engine, pages, words, subject } = task;
  const name = subject.replaceAll('-', ' ');
  const strongest = card.termsFor.map(({ feature }) => feature).filter((feature) => /^\p{L}+$/u.test(feature));
  const ask = (query: string, count = RESULTS): Found[] =>
    engine.search(query, count).map(({ url, title, snippet }) => ({ url, title, context: snippet }));
  const suggested = suggestQueries(words.topic, 10, words.vectors).map(({ query }) => query);
  process.stderr.write(`${subject} ${task.draw}: ${suggested.join(' | ')}\n`);
  note(task, NAME, ask(name));
  note(task, 'keywords: the name and three words', ask([name, ...strongest.slice(0, 3)].join(' ')));
  note(task, 'keywords: five words, one each, in turn', inTurn(strongest.slice(0, 5).map((word) => ask(word))));
  note(task, 'keywords: the name and three words, 500 results ranked', ranked(ask([name, ...strongest.slice(0, 3)].join(' '), 500), words));
  note(task, 'suggested queries, in turn', inTurn(suggested.map((query) => ask(query))));
  note(
    task,
    'suggested queries, ranked',
    ranked(
      suggested.flatMap((query) => ask(query)),
      words,
    ),
  );
  note(task, 'list: title and path contain the name or three words', ofList([name, ...strongest.slice(0, 3)], pages));
  note(
    task,
    'list: ranked by title and path',
    ranked(
      pages.map(({ url, title }) => ({ url, title })),
      words,
    ),
  );
}

/** A search by words in a list of bookmarks: entries with the most of the words first. */
function ofList(words: readonly string[], pages: readonly LabelledPage[]): Found[] {
  const list = new Bm25(pages.map(({ url, title }) => ({ url, title, text: url.replace(/^http:\/\/[^/]*/, '').replace(/\W+/g, ' ') })));
  return list.search(words.join(' '), RESULTS);
}

function inTurn(lists: readonly (readonly Found[])[]): Found[] {
  return Array.from({ length: RESULTS }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat();
}

function ranked(found: readonly Found[], { scorer }: OpenTopicWords): Found[] {
  const judged = found.map((one) => ({ one, score: scorer.scoreOf(one).score }));
  return judged.sort((a, b) => b.score - a.score).map(({ one }) => one);
}

/** Distinct URLs, the first fifty. Missing ones are no hits. */
function note({ subject, draw, pages }: Task, method: string, found: readonly Found[]): void {
  const subjects = new Map<string, LabelledPage>(pages.map((page) => [page.url, page]));
  const first = [...new Set(found.map(({ url }) => url))].slice(0, AT).flatMap((url) => subjects.get(url) ?? []);
  const hits = first.filter((page) => page.subject === subject);
  figures.push({ method, subject, draw, precision: hits.length / AT, hosts: new Set(hits.map(({ host }) => host)).size });
}

function printFigures(): void {
  const methods = [...new Set(figures.map(({ method }) => method))];
  const subjects = new Set(figures.map(({ subject }) => subject));
  console.log(`${subjects.size} subjects (${[...subjects].join(', ')}), ${values.draws} draws, split ${values.split}; precision at ${AT}`);
  console.log('method | median | mean | 95 % interval (bootstrap over subjects and draws) | difference to the name | hosts with a hit');
  for (const method of methods) {
    const own = figures.filter((one) => one.method === method);
    const { mean, low, high } = bootstrapMean(own.map(observation));
    const hosts = own.reduce((sum, one) => sum + one.hosts, 0) / own.length;
    const spread = `${low.toFixed(3)} to ${high.toFixed(3)}`;
    const middle = median(own.map(({ precision }) => precision)).toFixed(2);
    console.log(`${method} | ${middle} | ${mean.toFixed(3)} | ${spread} | ${differenceOf(own)} | ${hosts.toFixed(1)}`);
  }
}

/** Mean difference to the query of the name on the same subjects and draws, with its interval. */
function differenceOf(own: typeof figures): string {
  const names = figures.filter(({ method }) => method === NAME);
  const { mean, low, high } = bootstrapMean(
    own.flatMap(({ subject, draw, precision }) => {
      const name = names.find((one) => one.subject === subject && one.draw === draw);
      return name === undefined ? [] : [{ topic: subject, draw, difference: precision - name.precision }];
    }),
  );
  return `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

function observation({ subject, draw, precision }: { subject: string; draw: number; precision: number }): Observation {
  return { topic: subject, draw, difference: precision };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2;
}
