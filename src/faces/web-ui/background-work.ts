/** Long work of the page, in processes of their own. Each is a function that the command line has too. */

import { UsageError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import type { Environment } from '../../base/text/written-file.ts';
import type { HarvestReport } from '../../corpus/harvest/harvest-writer.ts';
import { ConfigFile, configured } from '../../crawling/settings/config-file.ts';
import { networkOf } from '../../crawling/settings/network.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { LabellingSession } from '../../study/label/labelling-session.ts';
import { adoptChecked, CHECKED_PAGES, checkDirectory, visitSites } from '../app/check-site.ts';
import { type RightsReport, statedRights } from '../app/corpus-rights.ts';
import type { CrawlHandle } from '../app/crawl-handle.ts';
import type { CrawlReport } from '../app/crawl-options.ts';
import { type SubtopicsReport, subtopics } from '../app/crawl-subtopics.ts';
import { type FoundSeeds, findSeeds } from '../app/find-seeds.ts';
import { type HarvestOptions, harvest } from '../app/harvest-crawl.ts';
import { type InitOptions, type InitReport, init } from '../app/init-project.ts';
import { type HarvestPreview, previewHarvest } from '../app/preview-harvest.ts';
import { PROJECT_FILE } from '../app/project-file.ts';
import { type Steering, type SteerOptions, steer } from '../app/steer-crawl.ts';
import { train } from '../app/train-from-pages.ts';
import { STRINGS } from './strings.ts';

export interface JobProgress {
  readonly stage: string;
  /** Pages; null for a stage that counts none. */
  readonly done: number | null;
  /** null while it is unknown. */
  readonly total: number | null;
}

/** Reports of a piece of work, and the signal that stops it. */
export interface Working {
  readonly progress: (progress: JobProgress) => void;
  readonly signal: AbortSignal;
  /** Environment for variables in files of options. */
  readonly environment: Environment;
}

/** A harvest as the page offers it. */
export type HarvestChoice = Pick<HarvestOptions, 'out' | 'formats' | 'minRelevance' | 'languages' | 'dedupe'>;

/** The answers that begin a project. */
export type ProjectChoice = Omit<InitOptions, 'dir' | 'warn' | 'onProgress' | 'signal'>;

/** A result, and findings that did not stop the work. */
export interface Warned<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

export interface Work {
  readonly seeds: (dir: string, given: { readonly top: number }, working: Working) => Promise<FoundSeeds>;
  readonly subtopics: (dir: string, given: { readonly again: boolean }, working: Working) => Promise<SubtopicsReport>;
  readonly rights: (dir: string, given: object, working: Working) => Promise<RightsReport>;
  readonly steer: (dir: string, given: Pick<SteerOptions, 'way' | 'id' | 'name'>, working: Working) => Promise<Steering>;
  readonly preview: (dir: string, given: { readonly thresholds: readonly Unit[] }, working: Working) => Promise<HarvestPreview>;
  readonly harvest: (dir: string, given: HarvestChoice, working: Working) => Promise<HarvestReport>;
  /* Of a project: `dir` is its folder, and the working directory as well. */
  readonly project: (dir: string, given: ProjectChoice, working: Working) => Promise<Warned<InitReport>>;
  readonly train: (dir: string, given: { readonly force: boolean }, working: Working) => Promise<Warned<ModelCard>>;
  readonly check: (
    dir: string,
    given: { readonly replace: boolean },
    working: Working,
  ) => Promise<Pick<CrawlReport, 'counts' | 'lostSeeds'>>;
  /** null if the answers trained no better model. */
  readonly adopt: (dir: string, given: { readonly model: string }, working: Working) => Promise<ModelCard | null>;
}

export type WorkName = keyof Work;
export type WorkGiven<N extends WorkName> = Parameters<Work[N]>[1];
export type Worked<N extends WorkName> = Awaited<ReturnType<Work[N]>>;

export const BACKGROUND_WORK: Work = {
  seeds: (dir, { top }, { progress, signal }) =>
    findSeeds({ dir, top, signal, onProgress: (done, total) => progress({ stage: 'read', done, total }) }),
  subtopics: (dir, { again }, { progress, signal }) =>
    subtopics({ dir, again, signal, onProgress: (done, total) => progress({ stage: STRINGS.topics.working, done, total }) }),
  rights: (dir, _, { progress, signal }) =>
    statedRights(dir, { signal, progress: (done) => progress({ stage: STRINGS.rights.working, done, total: null }) }),
  steer: (dir, given, { progress }) =>
    steer({ dir, ...given, onProgress: (stage, done) => progress({ stage, done: done === 0 ? null : done, total: null }) }),
  preview: (dir, { thresholds }, { progress, signal }) => previewHarvest({ dir, thresholds, progress, signal }),
  harvest: (dir, given, { progress, signal }) => harvest({ dir, ...given, progress, signal }),
  project: (_, given, { progress, signal }) =>
    warned((warn) => init({ ...given, warn, signal, onProgress: (stage) => progress({ stage, done: null, total: null }) })),
  train: (_, { force }, working) => warned((warn) => trained(force, warn, working)),
  check: async (_, { replace }, working) => {
    const { out = '', rngSeed, network } = trainOptionsIn(working);
    const visited = (done: number) => working.progress({ stage: STRINGS.start.visited, done, total: CHECKED_PAGES });
    let counts = () => ({ visited: 0 });
    const onEvent = () => visited(counts().visited);
    const onStart = (running: Pick<CrawlHandle, 'counts'>) => {
      counts = running.counts;
    };
    const options = { ...network, ...(rngSeed !== undefined && { rngSeed }), signal: working.signal, onStart, onEvent };
    const { counts: all, lostSeeds } = await visitSites({ model: out, replace, ...options });
    return { counts: all, lostSeeds };
  },
  adopt: async (_, { model }, { signal }) => {
    await trainChecked(checkDirectory(model), signal);
    return adoptChecked(model);
  },
};

async function warned<T>(work: (warn: (message: string) => void) => Promise<T>): Promise<Warned<T>> {
  const warnings: string[] = [];
  return { value: await work((message) => warnings.push(message)), warnings };
}

async function trained(force: boolean, warn: (message: string) => void, working: Working): Promise<ModelCard> {
  const { network, out = '', examples = [], ...options } = trainOptionsIn(working);
  const { progress, signal } = working;
  const fetch = { ...network, onProgress: (done: number, total: number) => progress({ stage: STRINGS.start.fetched, done, total }) };
  const onProgress = (stage: string, done: number) => progress({ stage, done, total: null });
  const { card } = await train({ ...options, out, examples, force, fetch, warn, signal, onProgress });
  return card;
}

/** Options of `forager train` in the project's file; those of the command alone are for its own output. */
function trainOptionsIn({ environment }: Working) {
  const file = configured(new ConfigFile(PROJECT_FILE, environment), 'train');
  const { json: _, checkSite: __, delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox, ...options } = file;
  const network = networkOf({ delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox });
  return { ...options, network };
}

/** Trains with the answers so far, unless the model has learned them already. @throws UsageError if they are too few */
async function trainChecked(dir: string, signal: AbortSignal): Promise<void> {
  const session = await LabellingSession.open({ dir });
  try {
    const { training } = session;
    if (training.missing !== null) throw new UsageError(STRINGS.start.fewAnswers);
    if (training.trainable && training.unused) await training.run({ signal });
  } finally {
    await session.close();
  }
}
