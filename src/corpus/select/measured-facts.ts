/** Results of commands that measure a crawl: the bias of its pages against a frame, and their stability over runs. Cards and methods texts state them. */
import type { IsoTime, Unit } from '../../base/core/types.ts';
import type { Facet } from './facet-names.ts';
import type { MeasuredColumn } from './measured-column-names.ts';

/** The number of each page, by column and URL. */
export type MeasuredValues = Readonly<Partial<Record<MeasuredColumn, ReadonlyMap<string, number>>>>;

/** The moment of a measurement. */
interface Measured {
  readonly at: IsoTime;
  /** Visits of the crawl by then: a crawl that continued has pages that were not measured. */
  readonly visited: number;
}

export interface BiasFacts extends Measured {
  /** Random visits of the crawl, a list of URLs, or another corpus; the name of its file or folder, without its path. */
  readonly frame: { readonly kind: 'random' | 'urls' | 'corpus'; readonly name: string };
  /** SHA-256 of a list, version of a harvest; null for others. */
  readonly frameDigest: string | null;
  readonly pages: number;
  readonly framePages: number;
  /** Total variation distance beyond chance with its 95 % interval, by property. */
  readonly distances: readonly { readonly facet: Facet; readonly distance: Unit; readonly low: Unit; readonly high: Unit }[];
  /** Values whose shares differ by more than chance, the first ones. */
  readonly gaps: readonly { readonly facet: Facet; readonly value: string; readonly corpus: Unit; readonly frame: Unit }[];
  /** Property that `frameWeight` evens out. */
  readonly weightedBy: Facet;
}

export interface StabilityFacts extends Measured {
  readonly runs: number;
  readonly vary: readonly string[];
  /** Visits of each run, and URLs of the recording. */
  readonly budget: number;
  readonly recorded: number;
  readonly kept: { readonly inAll: number; readonly inMost: number; readonly inSome: number };
  readonly overlap: Unit;
  /** Rank correlations. */
  readonly terms: number;
  readonly hosts: number;
}
