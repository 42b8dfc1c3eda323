/** Long work of the page, in processes of their own. Each is a function that the command line has too. */
import { type FoundSeeds, findSeeds } from '../app/find-seeds.ts';
import { type HarvestOptions, harvest } from '../app/harvest-crawl.ts';
import { type HarvestPreview, previewHarvest } from '../app/preview-harvest.ts';
import type { Unit } from '../core/types.ts';
import type { HarvestReport } from '../corpus/harvest-writer.ts';

export interface Progress {
  readonly stage: string;
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

/** How a piece of work reports, and how it is stopped. */
export interface Working {
  readonly progress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** A harvest as the page offers it. */
export type HarvestChoice = Pick<HarvestOptions, 'out' | 'formats' | 'minRelevance' | 'languages'>;

export interface Work {
  readonly seeds: (dir: string, given: { readonly top: number }, working: Working) => Promise<FoundSeeds>;
  readonly preview: (dir: string, given: { readonly thresholds: readonly Unit[] }, working: Working) => Promise<HarvestPreview>;
  readonly harvest: (dir: string, given: HarvestChoice, working: Working) => Promise<HarvestReport>;
}

export type WorkName = keyof Work;
export type WorkGiven<N extends WorkName> = Parameters<Work[N]>[1];
export type Worked<N extends WorkName> = Awaited<ReturnType<Work[N]>>;

export const WORK: Work = {
  seeds: (dir, { top }, { progress, signal }) =>
    findSeeds({ dir, top, signal, onProgress: (done, total) => progress({ stage: 'read', done, total }) }),
  preview: (dir, { thresholds }, working) => previewHarvest({ dir, thresholds, ...working }),
  harvest: (dir, given, working) => harvest({ dir, ...given, ...working }),
};
