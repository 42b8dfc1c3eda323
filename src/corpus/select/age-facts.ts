import type { IsoTime, Ms, Unit } from '../../base/core/types.ts';

/** Estimates how current the kept pages of a crawl are, by their rates of change as its revisits showed them. */
export interface AgeFacts {
  /** Moment that the estimates are for. */
  readonly at: IsoTime;
  readonly pages: number;
  /** Pages that were requested again at least once. */
  readonly revisited: number;
  /** Pages with another version, or gone. */
  readonly changed: number;
  /** Estimated share of pages whose main text is still that of the corpus. */
  readonly freshness: Unit;
  /** Estimated mean time since the first change that the crawl has not seen; 0 for a page without one. */
  readonly age: Ms;
  /** Times of the last answers. */
  readonly seen: { readonly oldest: IsoTime; readonly median: IsoTime; readonly newest: IsoTime };
  /** The pages that were seen longest ago, at most ten, the oldest first. */
  readonly longestUnseen: readonly { readonly url: string; readonly seenAt: IsoTime }[];
  /** Hosts with the most kept pages, at most ten. */
  readonly hosts: readonly HostChanges[];
}

export interface HostChanges {
  readonly host: string;
  readonly pages: number;
  readonly revisited: number;
  readonly changed: number;
}
