/** The agreement of a language model with a person, and the right to teach that follows from it. Pure. */
import type { Unit } from '../../../base/core/types.ts';
import { type Interval, wilson } from '../../../reading/topic/wilson.ts';
import { LEAST_COMPARED } from '../label-enough.ts';
import type { Label, LabelLog, ModelAnswer } from '../label-log.ts';

/** Pages that both answered, by person and model: `yesNo` is y by the person and n by the model. */
export interface SharedAnswers {
  readonly yesYes: number;
  readonly yesNo: number;
  readonly noYes: number;
  readonly noNo: number;
}

export interface Agreement extends SharedAnswers {
  /** Number of pages that both answered. */
  readonly pages: number;
  /** Cohen's kappa: agreement beyond chance, 1 if complete; null without pages, or if chance alone would give complete agreement. */
  readonly kappa: number | null;
  /** Interval of kappa, at 95 %; [-1, 1] if kappa is null. */
  readonly interval: Interval;
}

/** Answers of a language model, beside those of a person. */
export interface ModelAnswerFacts {
  /** Name of the language model that answered last. */
  readonly languageModel: string;
  readonly yes: number;
  readonly no: number;
  readonly agreement: Agreement;
  /** Reason why the model's answers do not teach; null if they do. */
  readonly untaught: string | null;
}

/** A page that person and model answer differently. */
export interface Disagreement {
  readonly url: string;
  readonly person: Label['answer'];
  readonly model: Label['answer'];
  readonly reason: string;
}

/** The answers of person and model to one page, equal or not. */
export type AnswerPair = Disagreement;

/** Pages that both must have answered: with complete agreement, half of them y, the lower bound of kappa is then .68; with ten pages it is .44. */
const LEAST_BOTH = 20;
/** The least lower bound of kappa: above it agreement is "moderate" or better (Landis and Koch 1977). */
const LEAST_KAPPA = 0.4;

/**
 * Cohen's kappa (1960): (p - c) / (1 - c), with the share p of equal answers, and the share c that is expected by chance from how often each says y. Its
 * interval is that of p (Wilson) with c held fixed: unlike the interval from the standard error, it has a width if all answers are equal.
 */
export function agreementOf(shared: SharedAnswers): Agreement {
  const { yesYes, yesNo, noYes, noNo } = shared;
  const pages = yesYes + yesNo + noYes + noNo;
  const byChance = pages === 0 ? 1 : ((yesYes + yesNo) * (yesYes + noYes) + (noNo + noYes) * (noNo + yesNo)) / pages ** 2;
  if (byChance >= 1) return { ...shared, pages, kappa: null, interval: { low: -1, high: 1 } };
  const beyondChance = (share: Unit) => (share - byChance) / (1 - byChance);
  const { low, high } = wilson(yesYes + noNo, pages);
  const interval = { low: beyondChance(low), high: beyondChance(high) };
  return { ...shared, pages, kappa: beyondChance((yesYes + noNo) / pages), interval };
}

/** Reason why the answers of a language model do not teach; null if they do. */
export function untaughtBy({ pages, yesYes, yesNo, noYes, noNo, kappa, interval }: Agreement): string | null {
  if (pages < LEAST_BOTH) return `both answered ${pages} pages; needed: ${LEAST_BOTH}`;
  const least = Math.min(yesYes + yesNo, noYes + noNo);
  if (least < LEAST_COMPARED) return `of these pages the person answered ${least} with one of y and n; needed: ${LEAST_COMPARED} of each`;
  if (kappa !== null && interval.low >= LEAST_KAPPA) return null;
  return `the lower bound of kappa is ${interval.low.toFixed(3)}; needed: ${LEAST_KAPPA}`;
}

/**
 * The weight of an answer of the model in training, where an answer of a person weighs 1: kappa. At 0 the model agrees no more than chance and teaches
 * nothing. null if its answers may not teach: see `untaughtBy`.
 */
export function taughtWeight(agreement: Agreement): Unit | null {
  return untaughtBy(agreement) === null ? agreement.kappa : null;
}

/** Pages with the same text that both answered y or n: person, then model. */
function bothAnswered(labels: readonly Label[], judged: readonly ModelAnswer[]): (readonly [Label, ModelAnswer])[] {
  const byUrl = new Map(labels.map((label) => [label.url, label]));
  return judged.flatMap((entry): (readonly [Label, ModelAnswer])[] => {
    const label = byUrl.get(entry.url);
    return label?.sha256 === entry.sha256 ? [[label, entry]] : [];
  });
}

/** The agreement of the language model that answered last. */
export function agreementIn(log: Pick<LabelLog, 'labels' | 'modelAnswers'>): Agreement {
  const both = bothAnswered(log.labels, log.modelAnswers());
  const count = (person: Label['answer'], model: Label['answer']) =>
    both.filter(([label, entry]) => label.answer === person && entry.answer === model).length;
  return agreementOf({ yesYes: count('y', 'y'), yesNo: count('y', 'n'), noYes: count('n', 'y'), noNo: count('n', 'n') });
}

/** null if no language model has answered. */
export function modelAnswerFacts(log: Pick<LabelLog, 'labels' | 'modelAnswers'>): ModelAnswerFacts | null {
  const judged = log.modelAnswers();
  const last = judged.at(-1);
  if (last === undefined) return null;
  const yes = judged.filter(({ answer }) => answer === 'y').length;
  const agreement = agreementIn(log);
  return { languageModel: last.languageModel, yes, no: judged.length - yes, agreement, untaught: untaughtBy(agreement) };
}

/** Disagreements, in the order of the model's answers. */
export function disagreementsIn(log: Pick<LabelLog, 'labels' | 'modelAnswers'>): Disagreement[] {
  return pairsIn(log).filter(({ person, model }) => person !== model);
}

/** Both answers to one page; null unless person and model answered the same text. */
export function pairOf(log: Pick<LabelLog, 'labels' | 'modelAnswers'>, url: string): AnswerPair | null {
  return pairsIn(log).find((pair) => pair.url === url) ?? null;
}

function pairsIn(log: Pick<LabelLog, 'labels' | 'modelAnswers'>): AnswerPair[] {
  return bothAnswered(log.labels, log.modelAnswers()).map(([label, { url, answer, reason }]) => ({
    url,
    person: label.answer,
    model: answer,
    reason,
  }));
}
