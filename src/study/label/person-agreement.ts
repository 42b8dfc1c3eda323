/** Agreement of the people who label a crawl, where several of them answered the same page. Pure. */
import type { Unit } from '../../base/core/types.ts';
import type { CoderAlpha, CoderPair, CodingFacts } from '../../corpus/select/coding-facts.ts';
import { wilson } from '../../reading/topic/wilson.ts';
import { type CodedEntry, type CoderDisagreement, type CoderEntry, coderAnswers, coderDisagreements } from './coder-answers.ts';
import { type Agreement, agreementOf } from './judge/agreement.ts';

export interface PersonAgreement extends Agreement {
  /** Names of the two people. In `yesNo` and the like, the first one comes first. */
  readonly names: readonly [string, string];
}

/** The answers of several people to the same pages. */
export interface CoderAgreement {
  readonly agreements: readonly PersonAgreement[];
  /** null for fewer than three people. */
  readonly alpha: CoderAlpha | null;
  readonly disagreements: readonly CoderDisagreement[];
}

export function codingOf(entries: readonly CodedEntry[]): CoderAgreement {
  return { agreements: personAgreements(entries), alpha: alphaOf(entries), disagreements: coderDisagreements(entries) };
}

/** The agreement as a card has it; null without a page that two people with names answered. */
export function codingFacts(entries: readonly CodedEntry[]): CodingFacts | null {
  const { agreements, alpha, disagreements } = codingOf(entries);
  if (agreements.length === 0) return null;
  const open = disagreements.filter(({ isOpen }) => isOpen).length;
  return { pairs: agreements.map(pairFacts), alpha, open, decided: disagreements.length - open, decisions: decisionFacts(disagreements) };
}

function pairFacts({ names, pages, yesYes, noNo, kappa, interval }: PersonAgreement): CoderPair {
  return { names, pages, equal: yesYes + noNo, kappa, ...interval };
}

function decisionFacts(disagreements: readonly CoderDisagreement[]): CodingFacts['decisions'] {
  const made = disagreements.flatMap(({ decision }) => decision ?? []);
  const times = made.map(({ at }) => at).sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { names: [...new Set(made.flatMap(({ name }) => name ?? []))].sort(), first, last };
}

/** Every two names with a page that both answered y or n, in order of names: see `coderAnswers`. */
export function personAgreements(entries: readonly CodedEntry[]): PersonAgreement[] {
  const pages = [...coderAnswers(entries).values()];
  const people = [...new Set(pages.flatMap((given) => given.map(({ name }) => name)))].sort();
  const pairs = people.flatMap((a, i) =>
    people.slice(i + 1).map((b) => ({ names: [a, b] as const, ...agreementOf(sharedBy(a, b, pages)) })),
  );
  return pairs.filter((pair) => pair.pages > 0);
}

function sharedBy(a: string, b: string, pages: readonly (readonly CoderEntry[])[]) {
  const answerOf = (name: string, given: readonly CoderEntry[]) => given.find((entry) => entry.name === name)?.answer ?? '';
  const both = pages.map((given) => `${answerOf(a, given)}${answerOf(b, given)}`);
  const count = (pair: string) => both.filter((one) => one === pair).length;
  return { yesYes: count('yy'), yesNo: count('yn'), noYes: count('ny'), noNo: count('nn') };
}

/**
 * Krippendorff's alpha for two categories with missing answers (Krippendorff 2004, section 11.3): 1 - (observed / expected disagreement). Its interval is
 * that of the observed agreement (Wilson), with the expected one held fixed, as for kappa; pages with more answers weigh more.
 */
function alphaOf(entries: readonly CodedEntry[]): CoderAlpha | null {
  const answered = [...coderAnswers(entries).values()].map((given) => given.filter(({ answer }) => answer !== 'skip'));
  const units = answered.filter((given) => given.length > 1);
  const people = new Set(units.flatMap((given) => given.map(({ name }) => name))).size;
  if (people < 3) return null;
  const counts = units.map((given) => ({ all: given.length, yes: given.filter(({ answer }) => answer === 'y').length }));
  return { people, pages: units.length, ...alphaFrom(counts) };
}

interface UnitCounts {
  readonly all: number;
  readonly yes: number;
}

/** Alpha of pages with two answers or more. @param units answers of each page */
export function alphaFrom(units: readonly UnitCounts[]): Pick<CoderAlpha, 'alpha' | 'low' | 'high'> {
  const sum = (of: (unit: UnitCounts) => number) => units.reduce((total, unit) => total + of(unit), 0);
  const [all, yes] = [sum((unit) => unit.all), sum((unit) => unit.yes)];
  const observed = sum((unit) => (2 * unit.yes * (unit.all - unit.yes)) / (unit.all - 1)) / all;
  const expected = (2 * yes * (all - yes)) / (all * (all - 1));
  if (expected === 0) return { alpha: null, low: -1, high: 1 };
  const ofAgreement = (share: Unit) => 1 - (1 - share) / expected;
  const effective = all ** 2 / sum((unit) => unit.all ** 2);
  const { low, high } = wilson((1 - observed) * effective, effective);
  return { alpha: ofAgreement(1 - observed), low: ofAgreement(low), high: ofAgreement(high) };
}
