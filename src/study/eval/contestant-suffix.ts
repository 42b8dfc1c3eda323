/** Aids of a contestant beyond its strategy: the end of its name says which. They tell how much a better page model would find. */
import { UsageError } from '../../base/core/errors.ts';

/** Questions that are answered from the labels of the judge. */
export interface QuestionRound {
  readonly questions: number;
  /** The visits before them, by the budget of the run. */
  readonly after: (budget: number) => number;
}

export interface ContestantSuffix {
  /** The labels of the judge replace the model for pages. */
  readonly truth: boolean;
  /** Askings in ascending order of visits. Empty: nothing is asked. */
  readonly asks: readonly QuestionRound[];
  /** Random visits of the warm-up: see `crawl --warm-up`. */
  readonly warmUp: number;
  /** Each host has a sitemap of its pages. */
  readonly listed: boolean;
}

interface Form {
  /** Matches the end of a name. */
  readonly form: RegExp;
  /** null if the numbers make no sense. */
  readonly read: (numbers: string) => ContestantSuffix | null;
}

const NONE: ContestantSuffix = { truth: false, asks: [], warmUp: 0, listed: false };
/** Shares of the budget at which each half is asked: visits 80 and 240 of 600, the moments that `crawl --ask 15@80,15@240` has. */
const HALVES = [2 / 15, 2 / 5] as const;

const LISTED = '@list';

/** Another aid is a row here. */
const FORMS: readonly Form[] = [
  { form: /=(truth)$/, read: () => ({ ...NONE, truth: true }) },
  { form: /@warm(\d+)$/, read: (visits) => (Number(visits) > 0 ? { ...NONE, warmUp: Number(visits) } : null) },
  { form: /@ask(\d+)$/, read: (count) => asking(halves(Number(count))) },
  { form: /@ask(\d+@\d+(?:\+\d+@\d+)*)$/, read: (moments) => asking(moments.split('+').map(momentOf)) },
];

/** The aids as documents write them. */
export const SUFFIXES: readonly string[] = ['=truth', '@list', '@warm10', '@ask30', '@ask15@80+15@240'];

/**
 * Divides a name into its strategy and its aid: `apprentice=truth`, `apprentice@ask30` (half at 2/15 of the budget, half at 2/5),
 * `apprentice@ask15@80+15@240` (at these visits), `apprentice@warm10` (a warm-up of ten visits). `apprentice@list` has sitemaps of all pages, and
 * perhaps another aid behind it: `apprentice@list@ask30`. A name without an aid is its strategy.
 * @throws UsageError for questions that cannot be asked
 */
export function suffixOf(name: string): { readonly plain: string; readonly aid: ContestantSuffix } {
  const { plain, aid } = lastAidOf(name);
  return plain.endsWith(LISTED) ? { plain: plain.slice(0, -LISTED.length), aid: { ...aid, listed: true } } : { plain, aid };
}

function lastAidOf(name: string): ReturnType<typeof suffixOf> {
  for (const { form, read } of FORMS) {
    const [all, numbers = ''] = form.exec(name) ?? [];
    if (all === undefined) continue;
    const aid = read(numbers);
    if (aid === null)
      throw new UsageError(
        `--strategies ${name}: asks nothing, asks twice at one visit, or has no warm-up; write e.g. @ask30, @ask15@80+15@240 or @warm10`,
      );
    return { plain: name.slice(0, -all.length), aid };
  }
  return { plain: name, aid: NONE };
}

function halves(count: number): Moment[] {
  const first = Math.ceil(count / 2);
  const [early, late] = HALVES;
  return [
    { questions: first, at: early, after: (budget) => Math.round(early * budget) },
    ...(count > 1 ? [{ questions: count - first, at: late, after: (budget: number) => Math.round(late * budget) }] : []),
  ];
}

interface Moment extends QuestionRound {
  /** Place of the moment among the others. */
  readonly at: number;
}

function momentOf(word: string): Moment {
  const [questions = 0, visits = 0] = word.split('@').map(Number);
  return { questions, at: visits, after: () => visits };
}

function asking(moments: readonly Moment[]): ContestantSuffix | null {
  const isWrong =
    moments.some(({ questions, at }) => questions < 1 || at <= 0) || new Set(moments.map(({ at }) => at)).size < moments.length;
  return isWrong ? null : { ...NONE, asks: [...moments].sort((a, b) => a.at - b.at) };
}
