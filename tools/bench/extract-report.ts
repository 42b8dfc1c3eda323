/** The report of the extraction bench, in Markdown. */
import { execFileSync } from 'node:child_process';
import { type DomainCensus, domainOf, type GoldPage, HELD_ASIDE } from '../../datasets/extractor/gold.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { type Difference, pairedBootstrap, RESAMPLES } from '../quality/paired-bootstrap.ts';
import { headlineScore, type Metric, meanScore, metricOf, type PageScore, type Score } from '../quality/score.ts';
import type { Method } from './extract-methods.ts';
import type { Outcome, PageRun } from './extract-run.ts';
import type { StageTimes } from './extract-stages.ts';

/** One method on all pages, in their order. */
export interface MethodResult {
  readonly method: Method;
  readonly runs: readonly PageRun[];
  readonly scores: readonly PageScore[];
}

export interface Findings {
  readonly third: string;
  readonly sample: number;
  readonly cap: Ms;
  readonly census: DomainCensus;
  readonly pages: readonly GoldPage[];
  readonly results: readonly MethodResult[];
  readonly stages: StageTimes;
}

/** Types that many blocks of their pages belong to, and that single-window methods fail on. */
const MULTI_BLOCK = ['forum', 'listing', 'collection'];
const BOOTSTRAP_SEED = 1;
/** An interval from fewer says nothing. */
const MIN_DOMAINS = 10;
const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  words: 'word bag, mean over pages',
  shingles: 'runs of four words, pooled over pages',
  characters: 'characters, mean over pages',
};

/** A set of the pages: their numbers. */
interface Group {
  readonly name: string;
  readonly metric: Metric;
  readonly members: readonly number[];
}

export function report(findings: Findings): string {
  const files = groupsBy(findings.pages, ({ file }) => file);
  const parts = [heading(findings, files), ...files.flatMap((file) => fileSection(file, findings)), bootstrapSection(files, findings)];
  return [...parts, speedSection(findings)].join('\n\n');
}

function groupsBy(pages: readonly GoldPage[], nameOf: (page: GoldPage) => string): Group[] {
  const names = [...new Set(pages.map(nameOf))].sort();
  return names.map((name) => {
    const members = pages.flatMap((page, i) => (nameOf(page) === name ? [i] : []));
    return { name, metric: metricOf(pages[members[0] ?? 0]?.file ?? ''), members };
  });
}

function heading({ third, sample, cap, census, pages, results, stages }: Findings, files: readonly Group[]): string {
  const part = third === 'all' ? 'all thirds, two of which the settings were tuned on' : `third ${third}, ${roleOf(third)}`;
  const counts = files.map(({ name, members }) => `${name} ${members.length}`).join(', ');
  const split = `${census.domains} registrable domains in the whole data, ${census.inTwoFiles} of them in more than one file`;
  return [
    '# Main-text extraction',
    `Pages: ${part}${Number.isFinite(sample) ? `, a sample of ${sample}` : ''}: ${pages.length} pages (${counts}), mean ${meanKb(pages)} kB.`,
    `Split: ${split}, **${census.inTwoThirds.length} in more than one third**${census.inTwoThirds.map((domain) => ` ${domain}`).join('')}.`,
    `Node ${process.version}, commit ${commit()}. A page is capped at ${cap / 1000} s; one that fails or has no text counts as an empty text.`,
    `Our default: ${speedOf(results[0])} pages per CPU-second; ${times(stages.whole, stages.sax)} of a bare SAX pass, in one process with it.`,
  ].join('\n');
}

function speedOf(result: MethodResult | undefined): string {
  return result === undefined ? '?' : (runColumns(result.runs)[2] ?? '?');
}

function roleOf(third: string): string {
  return Number(third) === HELD_ASIDE ? '**held aside: nothing was tuned on it**' : 'settings were tuned on it';
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '../..') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}

// Scores.

function fileSection(file: Group, findings: Findings): string[] {
  const types = groupsBy(findings.pages, (page) => (page.file === file.name ? page.type : ''))
    .filter(({ name }) => name !== '')
    .map((type) => ({ ...type, metric: file.metric }));
  const whole = [`## ${file.name}, ${file.members.length} pages (${METRIC_NAMES[file.metric]})`, fileTable(file, findings)];
  return types.length < 2 ? whole : [...whole, `### ${file.name} by type: F1 (precision / recall)`, typeTable(types, findings)];
}

function fileTable(file: Group, { results }: Findings): string {
  const perPage = file.metric === 'shingles';
  const columns = [
    'method',
    'F1',
    'precision',
    'recall',
    ...(perPage ? ['F1, mean of pages'] : []),
    'no text',
    'failed',
    'pages/CPU-s',
    'worst ms',
  ];
  const rows = results.map(({ method, runs, scores }) => {
    const { f1, precision, recall } = headlineScore(pick(scores, file), file.metric);
    const mean = perPage ? [three(meanScore(pick(scores, file)).f1)] : [];
    return [method.name, three(f1), three(precision), three(recall), ...mean, ...runColumns(pick(runs, file))];
  });
  return table(columns, rows);
}

function runColumns(runs: readonly PageRun[]): string[] {
  const cpu = runs.reduce((sum, run) => sum + run.cpu, 0);
  const failed = (['threw', 'timed out', 'died'] satisfies Outcome[])
    .map((kind) => ({ kind, count: countOf(runs, kind) }))
    .filter(({ count }) => count > 0);
  return [
    String(countOf(runs, 'empty')),
    failed.map(({ kind, count }) => `${count} ${kind}`).join(', ') || '0',
    ((1000 * runs.length) / cpu).toFixed(cpu > 10 * runs.length ? 1 : 0),
    Math.max(...runs.map(({ wall }) => wall)).toFixed(0),
  ];
}

function countOf(runs: readonly PageRun[], kind: Outcome): number {
  return runs.filter(({ outcome }) => outcome === kind).length;
}

function typeTable(types: readonly Group[], { results }: Findings): string {
  const columns = ['method', ...types.map(({ name, members }) => `${name} (${members.length})`)];
  const cell = ({ f1, precision, recall }: Score) => `${three(f1)} (${two(precision)} / ${two(recall)})`;
  const rows = results.map(({ method, scores }) => [
    method.name,
    ...types.map((type) => cell(headlineScore(pick(scores, type), type.metric))),
  ]);
  return table(columns, rows);
}

// Differences.

function bootstrapSection(files: readonly Group[], findings: Findings): string {
  const [ours, ...others] = findings.results;
  if (ours === undefined || others.length === 0) return '';
  const multiBlock = files
    .filter(({ metric }) => metric === 'words')
    .flatMap((file) => MULTI_BLOCK.map((type) => typeOf(file, type, findings.pages)))
    .filter(({ members }) => members.length > 0);
  const groups = [...files, ...multiBlock];
  const rows = others.map((theirs) => [theirs.method.name, ...groups.map((group) => compare(group, ours, theirs, findings.pages))]);
  return [
    `## ${ours.method.name} less each other: F1, 95 % interval`,
    `Paired bootstrap, registrable domains drawn, ${RESAMPLES} resamples. Bold: the interval is clear of zero. Under ${MIN_DOMAINS} domains there is none.`,
    '',
    table(['less', ...groups.map(({ name, members }) => `${name} (${members.length})`)], rows),
  ].join('\n');
}

function typeOf(file: Group, type: string, pages: readonly GoldPage[]): Group {
  return { ...file, name: type, members: file.members.filter((i) => pages[i]?.type === type) };
}

function compare(group: Group, ours: MethodResult, theirs: MethodResult, pages: readonly GoldPage[]): string {
  const pairs = group.members.flatMap((i) => {
    const [page, a, b] = [pages[i], ours.scores[i], theirs.scores[i]];
    return page && a && b ? [{ domain: domainOf(page), ours: a, theirs: b }] : [];
  });
  return cellOf(pairedBootstrap(pairs, group.metric, seededRng(BOOTSTRAP_SEED)), new Set(pairs.map(({ domain }) => domain)).size);
}

function cellOf({ difference, low, high }: Difference, domains: number): string {
  if (domains < MIN_DOMAINS) return signed(difference);
  const cell = `${signed(difference)} [${signed(low)}, ${signed(high)}]`;
  return low > 0 || high < 0 ? `**${cell}**` : cell;
}

// Speed.

function speedSection({ pages, results, stages }: Findings): string {
  const { whole, sax, saxBare } = stages;
  const decode = stages.stages.find(({ name }) => name === 'decode')?.ms ?? 0;
  const rows = [
    ...stages.stages,
    { name: '**whole page**', ms: whole },
    { name: 'whole page less decoding', ms: whole - decode },
    { name: 'htmlparser2 SAX, idle handlers', ms: sax },
    { name: 'htmlparser2 SAX, no handlers', ms: saxBare },
  ];
  return [
    `## Speed: ${pages.length} pages, mean ${meanKb(pages)} kB, after warm-up`,
    `Our default (${results[0]?.method.name ?? ''}) by stage, one process, stages in turns, median of the passes.`,
    '',
    table(
      ['stage', 'CPU ms a page', 'pages/CPU-s', 'times SAX (idle handlers)'],
      rows.map(({ name, ms }) => [name, ms.toFixed(3), (1000 / ms).toFixed(0), times(ms, sax)]),
    ),
    '',
    `Worst page: ${stages.worst.toFixed(1)} ms (median of its passes), ${stages.worstSeen.toFixed(1)} ms (longest single one).`,
    '',
    table(
      ['method, all files', 'no text', 'failed', 'pages/CPU-s', 'worst ms'],
      results.map(({ method, runs }) => [method.name, ...runColumns(runs)]),
    ),
    ...reasonsOf(results),
  ].join('\n');
}

function reasonsOf(results: readonly MethodResult[]): string[] {
  const lines = results.flatMap(({ method, runs }) =>
    [...new Set(runs.map(({ reason }) => reason))].filter(Boolean).map((reason) => `- ${method.name}: ${reason}`),
  );
  return lines.length === 0 ? [] : ['', 'Thrown:', '', ...lines];
}

function meanKb(pages: readonly GoldPage[]): string {
  return (pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0) / pages.length / 1000).toFixed(0);
}

// Form.

function pick<T>(items: readonly T[], { members }: Group): T[] {
  return members.flatMap((i) => items[i] ?? []);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function three(value: number): string {
  return value.toFixed(3);
}

function two(value: number): string {
  return value.toFixed(2);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function times(ms: Ms, of: Ms): string {
  return `${(ms / of).toFixed(2)} ×`;
}
