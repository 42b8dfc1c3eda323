/** What every family of methods answers to. */
import type { TextSet } from '../../../datasets/topics/text-set.ts';
import type { Cell, Given } from './splits.ts';

/** A family at work on one set. */
export interface Scorer {
  /** A score for each text of `cell.draw.test`, higher being more on topic; null when the method gave up. */
  score(cell: Cell): Promise<readonly number[] | null>;
  close(): void;
}

export interface Family {
  readonly name: string;
  readonly settings: readonly Given[];
  /** Larger sizes are not run: too slow. */
  readonly maxSize?: number;
  /** Whether its scores are calibrated log-odds, half of all pages being on topic. Default false. */
  readonly calibrated?: boolean;
  /** @throws EnvironmentError when the program it stands for is not installed. */
  open(set: TextSet): Promise<Scorer>;
}

/** What of a text the peers read: they know no titles. */
export function wholeText({ title, text }: { readonly title: string; readonly text: string }): string {
  return title === '' ? text : `${title}\n${text}`;
}
