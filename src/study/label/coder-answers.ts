/** The answers of the people with names, and the pages that they answer differently. Pure. */
import { grouped } from '../../base/core/grouped.ts';
import type { LabelEntry } from './label-log.ts';
import { type Answer, DECISION } from './label-queue.ts';

/** A line of labels, as agreement reads it. */
export type CodedEntry = Pick<LabelEntry, 'url' | 'answer' | 'sha256' | 'name' | 'queue' | 'known' | 'at'>;
/** An answer that somebody gave with a name. */
export type CoderEntry = CodedEntry & { readonly name: string };

/** A page that people answered differently. */
export interface CoderDisagreement {
  readonly url: string;
  /** The answer of each person, in order of names. */
  readonly answers: readonly { readonly name: string; readonly answer: 'y' | 'n' }[];
  /** The answer that counts; null if nobody decided. */
  readonly decision: { readonly name: string | null; readonly answer: Answer; readonly at: string } | null;
  /** Is there no decision, or has somebody answered otherwise after it? */
  readonly isOpen: boolean;
}

/**
 * The last own answer of each person to each page, in order of URLs' first answers. Answers to the newest text of the page alone are compared. A draw
 * of a page that had a label before, and an answer to a whole host, are no answers of a person who saw the page; a decision is not independent.
 */
export function coderAnswers(entries: readonly CodedEntry[]): ReadonlyMap<string, readonly CoderEntry[]> {
  const own = entries.filter(isOwn);
  return new Map([...grouped(own, ({ url }) => url)].map(([url, given]) => [url, lastOfEach(given)]));
}

function isOwn(entry: CodedEntry): entry is CoderEntry {
  return entry.name !== undefined && entry.known !== true && entry.queue !== 'place' && entry.queue !== DECISION;
}

function lastOfEach(given: readonly CoderEntry[]): CoderEntry[] {
  const text = given.at(-1)?.sha256;
  const last = new Map(given.filter(({ sha256 }) => sha256 === text).map((entry) => [entry.name, entry]));
  return [...last.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Pages with y by somebody and n by somebody else, those without a decision first. */
export function coderDisagreements(entries: readonly CodedEntry[]): CoderDisagreement[] {
  const decisions = new Map(entries.filter(({ queue }) => queue === DECISION).map((entry) => [entry.url, entry]));
  const all = [...coderAnswers(entries)].flatMap(([url, given]) => disagreementOf(url, given, decisions.get(url)) ?? []);
  return all.sort((a, b) => Number(b.isOpen) - Number(a.isOpen));
}

function disagreementOf(url: string, given: readonly CoderEntry[], decided: CodedEntry | undefined): CoderDisagreement | null {
  const answers = given.flatMap(({ name, answer }) => (answer === 'skip' ? [] : [{ name, answer }]));
  if (new Set(answers.map(({ answer }) => answer)).size < 2) return null;
  const decision = decided && { name: decided.name ?? null, answer: decided.answer, at: decided.at };
  const isOpen = decided === undefined || given.some(({ at, answer }) => at > decided.at && answer !== decided.answer);
  return { url, answers, decision: decision ?? null, isOpen };
}
