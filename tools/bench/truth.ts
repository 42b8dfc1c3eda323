/**
 * How far a model's own word is from the truth on labelled texts, which sign tells it beforehand, and how many labels make a better threshold than training: what
 * `trusted` of reading/topic/prior.ts, `separates` of reading/topic/calibrate.ts and `ENOUGH` of reading/topic/threshold.ts rest on.
 *
 *   npm run bench -- truth [--data DIR] [--sets reuters,brown,spam] [--sizes 10,30] [--draws 2]
 *
 * Of each draw a model is trained from examples alone, with a pool of unlabelled texts, or with labelled ones; it judges up to 200 other texts of which .1, .3, .5 and .8
 * are on topic, as the pages of a crawl that does badly or well. Then it is trained again with labels. No figure hangs on time or machine. Needs the sets: npm run data -- topics-build --out DIR; three minutes.
 */
import { parseArgs } from 'node:util';
import { readSet, type SetName, type TextSet } from '../../datasets/topics/text-set.ts';
import { sigmoid } from '../../src/base/core/odds.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { languageDetector } from '../../src/base/text/language.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { type Background, loadBackground } from '../../src/reading/topic/background.ts';
import { ASSUMED_PRIOR } from '../../src/reading/topic/calibrate.ts';
import type { TrainingRecord } from '../../src/reading/topic/describe.ts';
import { atThreshold, bestF1, type Scored } from '../../src/reading/topic/evaluate.ts';
import { estimatePrior } from '../../src/reading/topic/prior.ts';
import { expectedCalibrationError, withPrior } from '../../src/reading/topic/reliability.ts';
import { chooseThreshold, thresholdIn } from '../../src/reading/topic/threshold.ts';
import { learnTopic } from '../../src/reading/topic/train-on-rows.ts';
import { type TrainingPage, trainingSet } from '../../src/reading/topic/training-set.ts';
import { unseen } from './topic/forager.ts';
import { type Cell, cellOf, drawsOf } from './topic/splits.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.cache/topics' },
    sets: { type: 'string', default: 'reuters,brown,spam' },
    sizes: { type: 'string', default: '10,30' },
    draws: { type: 'string', default: '2' },
  },
});

const SHARES = [0.1, 0.3, 0.5, 0.8];
const JUDGED = 200;
const GIVEN = ['alone', 'pool', 'labelled'] as const;
/** Of either kind. */
const LABELS = [5, 10, 20];
/** F1 from that many texts on. */
const LEAST_TEXTS = 40;
/** As `npm run bench -- topic` cuts texts. */
const CHARS = 4000;

/** A model on texts of which a share is on topic. */
interface Case {
  readonly given: string;
  /** How far the share it calls on topic is from the true one. */
  readonly off: number;
  readonly trusted: boolean;
  /** Largest distance of the distributions of accepted texts and of accepted held-out examples (Kolmogorov, Smirnov). */
  readonly distance: number;
  /** Expected calibration error of training's held-out pages, and of these texts. */
  readonly heldError: number;
  readonly error: number;
}

/** F1 on texts without labels, by the threshold of all held-out rows and by that of the labelled ones. */
interface LabelCase {
  readonly given: string;
  readonly labels: number;
  readonly byAll: number;
  readonly byLabels: number;
}

const cases: Case[] = [];
const labelCases: LabelCase[] = [];
for (const name of values.sets.split(',')) await judgeSet(readSet(values.data, name as SetName));
report();

/** One training problem, and the texts its model judges. */
interface Task {
  readonly pages: readonly TrainingPage[];
  readonly cell: Cell;
  readonly bundled: Background;
  readonly judged: readonly Judged[];
}

interface Judged extends Scored {
  readonly page: TrainingPage;
}

async function judgeSet(set: TextSet): Promise<void> {
  const detect = await languageDetector();
  const pages = set.texts.map(({ id, url, title, text: whole }): TrainingPage => {
    const text = whole.slice(0, CHARS);
    return { id, url, title, text, language: detect(text) };
  });
  const bundled = await loadBackground();
  for (const draw of drawsOf(set, Number(values.draws))) {
    const truth = (at: number) => set.texts[at]?.labels.includes(draw.topic) ?? false;
    for (const size of values.sizes.split(',').map(Number)) {
      for (const given of GIVEN) {
        const cell = cellOf(draw, size, given);
        if (cell === null) continue;
        const record = await learned({ pages, cell, bundled }, []);
        const judged = draw.test.map((at) => {
          const page = pages[at] as TrainingPage;
          return { page, score: record.model.logit(page), onTopic: truth(at) };
        });
        await measure({ pages, cell, bundled, judged: shuffled(judged, seededRng(draw.draw)) }, record);
      }
    }
  }
}

async function measure(task: Task, record: TrainingRecord): Promise<void> {
  for (const share of SHARES) measureShare(task, record, share);
  for (const labels of LABELS) await measureLabels(task, labels);
}

/** The model of a problem, with labelled texts as further rows. */
async function learned({ pages, cell, bundled }: Omit<Task, 'judged'>, labelled: readonly Judged[]): Promise<TrainingRecord> {
  const { draw, given, positives, others } = cell;
  const at = (places: readonly number[]) => places.flatMap((place) => pages[place] ?? []);
  const known = (kind: boolean) => labelled.filter(({ onTopic }) => onTopic === kind).map(({ page }) => page);
  const [irrelevant, extraBackground] = given === 'labelled' ? [at(others), []] : [[], at(others)];
  const all = { examples: [...at(positives), ...known(true)], irrelevant: [...irrelevant, ...known(false)], extraBackground };
  const { rows } = trainingSet(all, draw.draw);
  const common = { name: draw.topic, seed: draw.draw, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench' };
  return learnTopic(rows, { ...common, background: unseen(bundled, draw) });
}

function measureShare({ cell: { given }, judged }: Task, record: TrainingRecord, share: number): void {
  const { threshold } = record.model;
  const texts = mixture(judged, share, JUDGED);
  const accepted = (items: readonly Scored[]) => items.map(({ score }) => score).filter((score) => sigmoid(score) >= threshold);
  cases.push({
    given,
    off: Math.abs(accepted(texts).length / texts.length - share),
    trusted:
      estimatePrior(
        texts.map(({ score }) => score),
        { rng: seededRng(1) },
      )?.trusted === true,
    distance: distanceOf(accepted(texts), accepted(record.held.filter(({ onTopic }) => onTopic))),
    heldError: expectedCalibrationError(withPrior(relevances(record.held), ASSUMED_PRIOR)),
    error: expectedCalibrationError(relevances(texts)),
  });
}

/** Trained again with labels, as `forager label` does: F1 on the texts that have none, by a threshold from all held-out rows and by one from those labelled. */
async function measureLabels(task: Task, labels: number): Promise<void> {
  const kinds = [true, false].map((kind) => task.judged.filter(({ onTopic }) => onTopic === kind));
  const labelled = kinds.flatMap((items) => items.slice(0, labels));
  const rest = kinds.flatMap((items) => items.slice(labels));
  if (labelled.length < 2 * labels || rest.length < LEAST_TEXTS) return;
  const { model, held } = await learned(task, labelled);
  const own = new Set(labelled.map(({ page }) => page.id));
  const heldLabels = held.filter(({ row }) => row.page !== null && own.has(row.page.id));
  const scored = rest.map(({ page, onTopic }) => ({ page, onTopic, score: model.logit(page) }));
  for (const share of SHARES) {
    const texts = relevances(mixture(scored, share, Number.POSITIVE_INFINITY));
    if (texts.length < LEAST_TEXTS) continue;
    const f1 = (threshold: number) => atThreshold(texts, threshold).f1;
    const byLabels = bestF1(withPrior(heldLabels, share));
    if (byLabels === null) continue;
    labelCases.push({
      given: task.cell.given,
      labels,
      byAll: f1(chooseThreshold(held, null).threshold),
      byLabels: f1(thresholdIn(byLabels)),
    });
  }
}

/** The first texts of either kind, as many as there are for that share. */
function mixture<T extends Scored>(scored: readonly T[], share: number, most: number): T[] {
  const [good, bad] = [scored.filter(({ onTopic }) => onTopic), scored.filter(({ onTopic }) => !onTopic)];
  const size = Math.floor(Math.min(most, good.length / share, bad.length / (1 - share)));
  return [...good.slice(0, Math.round(size * share)), ...bad.slice(0, size - Math.round(size * share))];
}

function relevances(items: readonly Scored[]): Scored[] {
  return items.map(({ score, onTopic }) => ({ score: sigmoid(score), onTopic }));
}

function distanceOf(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 1;
  const below = (items: readonly number[], at: number) => items.filter((item) => item <= at).length / items.length;
  return Math.max(...[...a, ...b].map((at) => Math.abs(below(a, at) - below(b, at))));
}

function report(): void {
  const lines = [`${cases.length} cases. Share on topic by the model: off by, on average; within .1 in; cases`];
  for (const [sign, has] of [
    ['prior by EM trusted', ({ trusted }: Case) => trusted],
    ['distance to held-out examples below .2', ({ distance }: Case) => distance < 0.2],
    ['distance to held-out examples below .4', ({ distance }: Case) => distance < 0.4],
  ] as const) {
    lines.push(`  ${sign}: ${offText(cases.filter(has))}; otherwise ${offText(cases.filter((one) => !has(one)))}`);
    for (const given of GIVEN) lines.push(`    ${given}: ${offText(cases.filter((one) => one.given === given && has(one)))}`);
  }
  const [held, real] = [cases.map(({ heldError }) => heldError), cases.map(({ error }) => error)];
  lines.push(
    `calibration error of held-out pages ${Math.min(...held).toFixed(3)} to ${Math.max(...held).toFixed(3)}, of the texts ${mean(real).toFixed(3)} on average; correlation ${correlation(held, real).toFixed(2)}`,
    'F1 after so many labels of either kind, by a threshold from all held-out rows, and by one from those labelled, weighed to the share on topic',
  );
  for (const labels of LABELS)
    for (const given of [null, ...GIVEN]) {
      const own = labelCases.filter((one) => one.labels === labels && (given === null || one.given === given));
      const [byAll, byLabels] = [mean(own.map(({ byAll }) => byAll)), mean(own.map(({ byLabels: by }) => by))];
      lines.push(`  ${labels} ${given ?? 'all'}: ${byAll.toFixed(3)}, ${byLabels.toFixed(3)} (${own.length} cases)`);
    }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function offText(of: readonly Case[]): string {
  if (of.length === 0) return 'none';
  const offs = of.map(({ off }) => off);
  return `${mean(offs).toFixed(3)}, ${mean(offs.map((off) => Number(off <= 0.1))).toFixed(2)}, ${of.length}`;
}

function mean(items: readonly number[]): number {
  return items.reduce((sum, item) => sum + item, 0) / items.length;
}

/** Pearson's. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const spread = (items: readonly number[], at: number) => Math.sqrt(mean(items.map((item) => (item - at) ** 2)));
  return mean(a.map((item, i) => (item - meanA) * ((b[i] ?? 0) - meanB))) / (spread(a, meanA) * spread(b, meanB));
}
