/**
 * What each part of the extractor earns: F1 of the main text with the part left out, in one table.
 *
 *   npm run bench -- ablation [--data DIR]
 *
 * On the two thirds of the registrable domains that settings are tuned on; the held-aside third is never read. Block models are trained
 * anew without the part, as npm run data -- train-extractor does it, and held out by domain. Takes about ten minutes; progress is on stderr.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { domainOf, type GoldPage } from '../../datasets/extractor/gold.ts';
import { type Stripping, strippedMarkup } from '../../datasets/extractor/markup.ts';
import { type LabelledPage, labelledPages, tuningPages } from '../../datasets/extractor/pages.ts';
import {
  BOOSTING,
  FOLDS,
  type FoldOf,
  featuresWhere,
  heldOut,
  type TrainingPages,
  trainingPages,
} from '../../datasets/extractor/training.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { BlockModel, type BlockModelFile } from '../../src/reading/extract/block-model.ts';
import type { PageContent } from '../../src/reading/extract/blocks.ts';
import { modelDecision, ROLE, RULE, textOf } from '../../src/reading/extract/main-text.ts';
import type { MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { ourExtract } from '../quality/extract-modes.ts';
import { pairedBootstrap, RESAMPLES } from '../quality/paired-bootstrap.ts';
import { meanScore, metricOf, type PageScore, pooledScore, scorePage } from '../quality/score.ts';

const DEFAULT_DATA = fileURLToPath(new URL('../../../shared/data/extraction', import.meta.url));
const BOOTSTRAP_SEED = 1;
/** The middle of those that npm run data -- train-extractor tries. */
const FIXED_THRESHOLD = 0.45;

const WHOLE: Stripping = { hints: false, semantics: false };
const NO_HINTS: Stripping = { hints: true, semantics: false };
const NO_SEMANTICS: Stripping = { hints: false, semantics: true };
const NEITHER: Stripping = { hints: true, semantics: true };

/** What models are trained on: rows of one training share them. */
interface Training {
  readonly markup: Stripping;
  readonly skip: ReadonlySet<number>;
  readonly foldOf?: FoldOf;
}

const FULL: Training = { markup: WHOLE, skip: new Set() };
const OTHER_FOLDS: Training = { ...FULL, foldOf: ({ group }) => Math.floor(group / FOLDS) % FOLDS };
const CONTAINERS = new Set(['container2', 'container5', 'container15', 'container40', 'tagPath', 'classPath']);
const NO_CONTAINERS: Training = { markup: WHOLE, skip: featuresWhere((_, group) => CONTAINERS.has(group)) };
const NO_SLOPE: Training = { markup: WHOLE, skip: featuresWhere((name) => /^(page\.)?slope/.test(name)) };

/** How a page is read with a model: the `ROLE` of each block. */
type Reading = (file: BlockModelFile) => (page: PageContent) => Uint8Array;

const asIs: Reading = (file) => {
  const model = new BlockModel(file);
  return (page) => modelDecision(page, model).roles;
};

class FixedThresholdModel extends BlockModel {
  override thresholdFor(): number {
    return FIXED_THRESHOLD;
  }
}

const withFixedThreshold: Reading = (file) => {
  const model = new FixedThresholdModel(file);
  return (page) => modelDecision(page, model).roles;
};

const RULES: readonly number[] = [RULE['code-or-table'], RULE.gap, RULE.heading];

const withoutRules: Reading = (file) => {
  const model = new BlockModel(file);
  return (page) => {
    const { roles, rules } = modelDecision(page, model);
    return roles.map((role, i) => (RULES.includes(rules[i] ?? RULE.model) ? ROLE.links : role));
  };
};

/** The rules look in the slope's segments only, and where the model finds nothing the slope decides: without it all that goes. */
const withoutSlope: Reading = (file) => {
  const model = new BlockModel(file);
  return (page) => {
    const view = modelDecision(page, model).model;
    return Uint8Array.from(view?.probabilities ?? [], (p) => (p >= (view?.threshold ?? 1) ? ROLE.text : ROLE.outside));
  };
};

interface MethodRow {
  readonly kind: 'method';
  readonly name: string;
  readonly method: MainTextMethod;
  readonly markup: Stripping;
}

interface ModelRow {
  readonly kind: 'model';
  readonly name: string;
  readonly training: Training;
  readonly reading: Reading;
}

type Row = MethodRow | ModelRow;

const WHOLE_MODEL = modelRow('**block model, whole**', FULL);
const ROWS: readonly Row[] = [
  { kind: 'method', name: 'weighted slope (`slope`)', method: 'slope', markup: WHOLE },
  { kind: 'method', name: 'weighted slope, no class and id hints', method: 'slope', markup: NO_HINTS },
  WHOLE_MODEL,
  modelRow('the same, other folds (what chance does)', OTHER_FOLDS),
  modelRow('without containers and paths', NO_CONTAINERS),
  modelRow('without class and id hints', { ...FULL, markup: NO_HINTS }),
  modelRow('without semantic elements and roles', { ...FULL, markup: NO_SEMANTICS }),
  modelRow('without both', { ...FULL, markup: NEITHER }),
  modelRow('without the slope as features', NO_SLOPE),
  modelRow('without the slope, so without rules too', NO_SLOPE, withoutSlope),
  modelRow(`without a threshold by page (${FIXED_THRESHOLD} for all)`, FULL, withFixedThreshold),
  modelRow('without the rules after the model', FULL, withoutRules),
];

function modelRow(name: string, training: Training, reading: Reading = asIs): ModelRow {
  return { kind: 'model', name, training, reading };
}

/** A column of the table: a figure of some of the pages, by number. */
interface Column {
  readonly name: string;
  readonly members: readonly number[];
  readonly figure: (row: Row, members: readonly number[]) => string;
}

const gold = pagesOf();
const scores = new Map<Row, readonly PageScore[]>();
for (const row of ROWS) if (row.kind === 'method') timed(row.name, () => measureMethod(row));
for (const markup of new Set(ROWS.map(markupOf))) measureModels(markup);
console.log(report());

function pagesOf(): GoldPage[] {
  try {
    const { values } = parseArgs({ options: { data: { type: 'string', default: DEFAULT_DATA } } });
    return tuningPages(values.data);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    console.error('usage: npm run bench -- ablation [--data DIR]');
    process.exit(2);
  }
}

function markupOf(row: Row): Stripping {
  return row.kind === 'model' ? row.training.markup : row.markup;
}

function timed(name: string, run: () => void): void {
  const start = performance.now();
  run();
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

// Scores, in the order of the pages.

function measureMethod(row: MethodRow): void {
  const extract = ourExtract(row.method);
  const found = gold.map((page) => {
    const html = strippedMarkup(page.html, row.markup);
    return scored(page, extract({ ...page, html, body: Buffer.from(html) }));
  });
  scores.set(row, found);
}

/** All models that see this much of the markup. */
function measureModels(markup: Stripping): void {
  const rows = ROWS.filter((row) => row.kind === 'model').filter(({ training }) => training.markup === markup);
  const pages = trainingPages(labelledPages(gold, (html) => strippedMarkup(html, markup)));
  for (const training of new Set(rows.map((row) => row.training))) {
    const alike = rows.filter((row) => row.training === training);
    timed(alike.map(({ name }) => name).join('; '), () => measureTraining(pages, training, alike));
  }
}

function measureTraining(pages: TrainingPages, { skip, foldOf }: Training, rows: readonly ModelRow[]): void {
  const found = new Map(rows.map((row): [ModelRow, PageScore[]] => [row, []]));
  for (const { model, indices } of heldOut(pages, { boosting: BOOSTING, skip }, FOLDS, foldOf)) {
    for (const [{ reading }, own] of found) {
      const rolesOf = reading(model);
      for (const i of indices) {
        const page = pages.pages[i] as LabelledPage;
        own[i] = scored(page, textOf(page.content, rolesOf(page.content)));
      }
    }
  }
  for (const [row, own] of found) scores.set(row, own);
}

function scored({ file, text }: GoldPage, found: string): PageScore {
  return scorePage(found, text, metricOf(file));
}

// The table.

function report(): string {
  const files = [...new Set(gold.map(({ file }) => file))].map((file) => ({ file, members: membersOf((page) => page.file === file) }));
  const columns = files.sort((a, b) => b.members.length - a.members.length).flatMap(({ file, members }) => columnsOf(file, members));
  const lines = [
    ['', ...columns.map(({ name, members }) => `${name} (${members.length})`)],
    ['---', ...columns.map(() => '---:')],
    ...ROWS.map((row) => [row.name, ...columns.map(({ figure, members }) => figure(row, members))]),
  ];
  return [
    `F1 on ${gold.length} pages of the two thirds for tuning, models held out by registrable domain (${FOLDS} folds). Words, mean over pages; news: runs`,
    'of four words, mean over pages and pooled; zh: characters. The weights of the slope, the threshold and the features were chosen on these pages,',
    'with all parts in place.',
    `Difference: paired bootstrap, domains drawn, ${RESAMPLES} resamples, 95 %; it does not hold the chance in training, which the row of other folds shows.`,
    '',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

function columnsOf(file: string, members: readonly number[]): Column[] {
  const whole: Column = { name: file, members, figure: (row, pages) => meanScore(pick(row, pages)).f1.toFixed(4) };
  if (metricOf(file) === 'shingles')
    return [whole, { ...whole, name: `${file}, pooled`, figure: (row, pages) => pooledScore(pick(row, pages)).f1.toFixed(4) }];
  const types = [...new Set(members.flatMap((i) => gold[i]?.type ?? []))].sort();
  if (types.length < 2) return [whole];
  return [
    whole,
    { name: 'less the whole block model', members, figure: differenceOf },
    ...types.map((type) => ({ ...whole, name: type, members: membersOf((page) => page.file === file && page.type === type) })),
  ];
}

function membersOf(isMember: (page: GoldPage) => boolean): number[] {
  return gold.flatMap((page, i) => (isMember(page) ? [i] : []));
}

function pick(row: Row, members: readonly number[]): PageScore[] {
  const own = scores.get(row) ?? [];
  return members.map((i) => own[i] as PageScore);
}

/** Of a row and the whole model, on the same pages. */
function differenceOf(row: Row, members: readonly number[]): string {
  if (row === WHOLE_MODEL) return '';
  const ours = pick(row, members);
  const theirs = pick(WHOLE_MODEL, members);
  const pairs = members.map((i, k) => ({
    domain: domainOf(gold[i] as GoldPage),
    ours: ours[k] as PageScore,
    theirs: theirs[k] as PageScore,
  }));
  const { difference, low, high } = pairedBootstrap(pairs, 'words', seededRng(BOOTSTRAP_SEED));
  const cell = `${signed(difference)} [${signed(low)}, ${signed(high)}]`;
  return low > 0 || high < 0 ? `**${cell}**` : cell;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
