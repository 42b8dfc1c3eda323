/** What a mutation run found, in words. */
import { wilson } from '../../src/reading/topic/wilson.ts';
import type { Mutant } from './mutants.ts';

/** `refused` by the compiler: such a mutant could not be built, so it counts nowhere. */
export type Outcome = 'killed' | 'timed-out' | 'survived' | 'refused';

export interface Tried {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  /** The test that killed it, or why none could. */
  readonly by: string | null;
}

/** Why a mutant may live, by what stays when lines move. */
export interface Reason {
  readonly file: string;
  /** The line, trimmed. */
  readonly text: string;
  readonly was: string;
  readonly by: string;
  readonly why: string;
}

export function summary(room: string, tried: readonly Tried[], reasons: readonly Reason[]): string {
  const count = (outcome: Outcome) => tried.filter((one) => one.outcome === outcome).length;
  const survivors = tried.filter(({ outcome }) => outcome === 'survived');
  const explained = survivors.filter(({ mutant }) => reasonOf(mutant, reasons) !== null).length;
  const all = tried.length - count('refused');
  const killed = count('killed') + count('timed-out');
  return [
    `${room}: ${all} mutants, ${killed} killed (${count('timed-out')} of them by the time cap), ${survivors.length} survived (${explained} with a reason): ${score(killed, all)}`,
    `  without those that may live: ${score(killed, all - explained)}; ${count('refused')} more were refused by the compiler`,
  ].join('\n');
}

function score(killed: number, all: number): string {
  const { low, high } = wilson(killed, all);
  return `score ${percent(all === 0 ? 0 : killed / all)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** One line for each that lived or hung. */
export function listed(tried: readonly Tried[], reasons: readonly Reason[]): string[] {
  return tried.flatMap(({ mutant, outcome, by }) => {
    if (outcome === 'timed-out') return [`  time cap  ${named(mutant)}  in ${by}`];
    if (outcome === 'survived')
      return [`  survived  ${named(mutant)}  ${by ?? ''}\n            may live: ${reasonOf(mutant, reasons) ?? 'no reason'}`];
    return [];
  });
}

export function named({ file, line, was, by }: Mutant): string {
  return `${file}:${line}  ${was} → ${by === '' ? '(nothing)' : by}`;
}

function reasonOf({ file, text, was, by }: Mutant, reasons: readonly Reason[]): string | null {
  return reasons.find((one) => one.file === file && one.text === text && one.was === was && one.by === by)?.why ?? null;
}
