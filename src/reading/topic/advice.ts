import type { Rng } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { type Comparison, cosine } from './comparison.ts';
import { ENOUGH_EXAMPLES } from './enough-examples.ts';
import type { Folds } from './folds.ts';
import { named } from './named.ts';
import { leastForPrecision } from './precision.ts';
import type { TrainingRow } from './training-set.ts';
import { type ExampleGroup, twoTopics } from './two-topics.ts';

export const ADVICE_CODES = [
  'few-examples',
  'one-host',
  'near-duplicates',
  'mixed-languages',
  'two-topics',
  'weak-separation',
  'not-held-out',
  'known-hosts-only',
  'hidden-examples',
  'rule-refuses-examples',
  'precision-not-reached',
  'one-phrase',
  'rich-pool',
] as const;
export type AdviceCode = (typeof ADVICE_CODES)[number];

/** A note needs no action. With a warning, the model is likely worse than it could be; with danger, it is likely useless. */
export const SEVERITIES = ['note', 'warning', 'danger'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A finding before the crawl, and the next step. Each text is part of a line. */
export interface Advice {
  readonly code: AdviceCode;
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string;
}

/** The training run that the advice is about. */
export interface AdviceInput extends Comparison {
  readonly folds: Folds['kind'];
  /** Area under the ROC curve of the held-out pages. */
  readonly rocAuc: Unit;
  /** Whether calibration found that the held-out pages can be separated. */
  readonly separates: boolean;
  /** Number of example pages that the rule refuses regardless of the model; 0 without a rule. */
  readonly refusedExamples: number;
  /** A requested precision that no threshold reaches, with the best lower bound; null if there is none such. */
  readonly missed: { readonly asked: Unit; readonly lowerBound: Unit } | null;
  /** Unlabelled pages, and how many of them reach the threshold; null if there are none, or nothing was held out. */
  readonly unlabelled: { readonly pages: number; readonly onTopic: number } | null;
  readonly rng: Rng;
}

/** The smallest number that was measured. */
const TOO_FEW_EXAMPLES = 5;
/** Advice of hh-page-classifier: below .85 a warning, below .65 danger. */
const ROC_AUC_WARN = 0.85;
const ROC_AUC_DANGER = 0.65;
/**
 * Cosine from which two pages count as one. Half of the pairs above it have 74 of 100 runs of four words in common on the Debian web, and 93 among
 * spam mails; of those between .8 and .9, 52 and 75. Reuters' stories on one harvest stay below .85.
 */
const NEAR_DUPLICATE = 0.9;
/** Duplicates beyond this share of the examples mean far fewer pages to learn from than the number suggests. */
const MANY_DUPLICATES = 0.25;
/**
 * Share of unlabelled pages on topic beyond which they are no sample of a site. Sixteen pages of one chapter of a big manual: 138 random pages of it, of
 * which 9 % reached the threshold, left all pages of the chapter on topic; 375 pages of a focused crawl, with 39 %, left a little over half.
 */
const RICH_POOL = 0.3;
/** A second language beyond this share is no accident. Examples in one language teach almost nothing about another, because they share few words. */
const MANY_FOREIGN = 0.2;

const RANK: Record<Severity, number> = { danger: 0, warning: 1, note: 2 };

/** The advice on a training run before crawling with its model, the most severe first. Cost: n² for n examples, and that of `twoTopics`. */
export function adviceOn(input: AdviceInput): Advice[] {
  const languages = mixedLanguages(input);
  const foreign = languages.some(({ severity }) => severity === 'warning');
  const all = [
    ...weakSeparation(input),
    ...fewExamples(input),
    ...(foreign ? [] : twoGroups(input)),
    ...languages,
    ...oneHost(input),
    ...nearDuplicates(input),
    ...heldOut(input),
    ...hiddenExamples(input),
    ...refusedExamples(input),
    ...missedPrecision(input),
    ...richPool(input),
  ];
  return all.sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** The advice that stops a strict run. */
export function refusedBy(advice: readonly Advice[]): Advice[] {
  return advice.filter(({ severity }) => severity !== 'note');
}

/** One line. */
export function adviceLine({ message, remedy }: Advice): string {
  return `${message}; ${remedy}`;
}

function examplesOf({ rows }: AdviceInput): readonly TrainingRow[] {
  return rows.filter(({ role }) => role === 'example');
}

function fewExamples(input: AdviceInput): Advice[] {
  const count = examplesOf(input).length;
  if (count >= ENOUGH_EXAMPLES) return [];
  const severity = count < TOO_FEW_EXAMPLES ? 'danger' : 'warning';
  const message = count === 1 ? 'only 1 example' : `only ${count} examples`;
  return [{ code: 'few-examples', severity, message, remedy: `${ENOUGH_EXAMPLES} or more make a steadier model` }];
}

function oneHost(input: AdviceInput): Advice[] {
  const examples = examplesOf(input);
  const hosts = new Set(examples.map(({ host }) => host));
  if (
    hosts.size !== 1 ||
    hosts.has(null) ||
    examples.length === 1 ||
    input.rows.some(({ role }) => role === 'irrelevant' || role === 'extra')
  )
    return [];
  const message = 'all examples are from one host: other pages of that host will look on topic too';
  return [
    {
      code: 'one-host',
      severity: 'warning',
      message,
      remedy: 'give some of them: unlabelled ones with --pool, or off-topic ones with --irrelevant',
    },
  ];
}

function nearDuplicates(input: AdviceInput): Advice[] {
  const { rows } = input;
  const count = examplesOf(input).length;
  const pairs: string[] = [];
  for (let later = 1; later < count; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      if (cosine(input, later, earlier) < NEAR_DUPLICATE) continue;
      pairs.push(`${exampleName(rows, earlier)} and ${exampleName(rows, later)}`);
      break;
    }
  }
  if (pairs.length === 0) return [];
  const severity = pairs.length > MANY_DUPLICATES * count ? 'warning' : 'note';
  const message = `${pairs.length} of ${count} examples are nearly the same as another: ${named(pairs)}`;
  return [{ code: 'near-duplicates', severity, message, remedy: 'give pages that differ; repeats teach nothing new' }];
}

/** An example of a saved file may have no name but its number. */
function exampleName(rows: AdviceInput['rows'], at: number): string {
  const id = rows[at]?.page?.id ?? rows[at]?.name;
  return id === undefined || /^\d+$/.test(id) ? `example ${at + 1}` : id;
}

function mixedLanguages(input: AdviceInput): Advice[] {
  const counts = new Map<string, number>();
  for (const { language } of examplesOf(input)) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [main, ...others] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (main === undefined || others.length === 0) return [];
  const foreign = others.reduce((sum, [, count]) => sum + count, 0);
  const severity = foreign >= MANY_FOREIGN * (foreign + main[1]) ? 'warning' : 'note';
  const message = `${main[1]} examples are in ${main[0]}, ${foreign} in another language: ${named(others.map(([language, count]) => `${language} (${count})`))}`;
  return [
    { code: 'mixed-languages', severity, message, remedy: 'train a model for each language, or take out pages that are there by mistake' },
  ];
}

function twoGroups(input: AdviceInput): Advice[] {
  const groups = twoTopics(input, input.rng);
  if (groups === null) return [];
  const described = groups.map(({ rows, terms }: ExampleGroup) => `${rows.length} with “${terms.join(', ')}”`).join(' and ');
  const message = `the examples look like two topics that do not help to find each other: ${described}`;
  return [{ code: 'two-topics', severity: 'warning', message, remedy: 'train a model for each, or take out the pages that are not meant' }];
}

function heldOut(input: AdviceInput): Advice[] {
  const code = input.folds === 'none' ? 'not-held-out' : 'known-hosts-only';
  if (input.folds === 'none') {
    const message = 'nothing could be held out: precision and recall are not known';
    return [{ code, severity: 'warning', message, remedy: 'give more than one example' }];
  }
  if (input.folds === 'by-host') return [];
  const message = examplesOf(input).some(({ host }) => host === null)
    ? 'the hosts of some examples are not known, so single pages were held out: the figures may say little about new hosts'
    : 'examples come from fewer than 3 hosts: figures are of pages held out from known hosts and say little about new hosts';
  return [{ code, severity: 'note', message, remedy: 'give pages of 3 hosts or more, with their URLs' }];
}

function hiddenExamples({ hidden }: AdviceInput): Advice[] {
  if (hidden.size === 0) return [];
  const message = `${hidden.size} background pages look like examples and were omitted`;
  return [{ code: 'hidden-examples', severity: 'note', message, remedy: 'nothing to do, unless the examples are of too common a kind' }];
}

function weakSeparation({ separates, rocAuc }: AdviceInput): Advice[] {
  const code = 'weak-separation';
  if (!separates || rocAuc < ROC_AUC_DANGER) {
    const message = 'held-out pages are not told from the background';
    return [{ code, severity: 'danger', message, remedy: 'do not crawl with this model; give more and more alike examples' }];
  }
  if (rocAuc >= ROC_AUC_WARN) return [];
  const message = `held-out pages are poorly told from the background (ROC-AUC ${rocAuc.toFixed(2)})`;
  return [{ code, severity: 'warning', message, remedy: 'give more examples' }];
}

function refusedExamples(input: AdviceInput): Advice[] {
  const { refusedExamples: refused } = input;
  const all = examplesOf(input).length;
  if (refused === 0) return [];
  const message = `the rule refuses ${refused} of ${all} examples, regardless of the model: pages like them will not be kept`;
  const severity = refused === all ? 'danger' : 'warning';
  return [{ code: 'rule-refuses-examples', severity, message, remedy: 'change the rule, or take these examples out' }];
}

function missedPrecision(input: AdviceInput): Advice[] {
  if (input.missed === null) return [];
  const { asked, lowerBound } = input.missed;
  const message = `no threshold reaches a precision of ${asked} by its 95 % lower bound; the best is ${lowerBound.toFixed(2)}, and that threshold is taken`;
  const remedy = `give more examples: ${leastForPrecision(asked)} held-out pages show it if none of them is wrong, and there are ${examplesOf(input).length} examples`;
  return [{ code: 'precision-not-reached', severity: 'warning', message, remedy }];
}

function richPool({ unlabelled }: AdviceInput): Advice[] {
  if (unlabelled === null || unlabelled.onTopic <= RICH_POOL * unlabelled.pages) return [];
  const message = `${unlabelled.onTopic} of ${unlabelled.pages} unlabelled pages look on topic: they are not a random sample, and the model may refuse wanted pages`;
  const remedy = 'give pages of the sites that were drawn at random, such as those of a crawl with --strategy random';
  return [{ code: 'rich-pool', severity: 'warning', message, remedy }];
}
