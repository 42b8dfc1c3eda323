/** The link scorer of a crawl: the one it started with, and its lessons since. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DamageError, DataError, damageIn, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Durable, Ledger, OpenLedger } from '../../base/core/parts/queueing.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { readGivenFile } from '../../base/text/given-file.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { VISITS_FILE } from '../../corpus/records/corpus-writer.ts';
import { recordedLinks } from '../../corpus/records/recorded-links.ts';
import { readLinkModel } from '../../reading/links/apprentice.ts';
import { type LinkWeights, MAX_LINK_MODEL_BYTES } from '../../reading/links/link-model-file.ts';
import { ownScorer } from '../../reading/links/own-scorer.ts';
import { SteeredScorer } from '../../reading/links/steered-scorer.ts';
import { linkScorer } from '../../reading/links/strategies.ts';
import { isOwnStrategy } from '../../reading/links/strategy-names.ts';
import { WeightedScorer } from '../../reading/links/weighted-scorer.ts';
import { type Past, relearn } from '../crawl/lessons.ts';
import { resumeScoring } from '../crawl/rescore-waiting.ts';
import { type CrawlManifest, type CrawlPaths, wishesOf } from './crawl-directory.ts';

/** A link model, and the SHA-256 of its file, hex. @throws UsageError if there is none; DataError if it is damaged */
export function openLinkModel(path: string): { readonly linkModel: LinkWeights; readonly sha256: string } {
  if (!isThere(path))
    throw new UsageError(
      `${path}: no link model is here; make one with: ${foragerCommand('link-model', new Blank('crawl'), '--out', new Blank('file'))}`,
    );
  const bytes = readGivenFile(path, {
    maxBytes: MAX_LINK_MODEL_BYTES,
    what: 'a link model',
    remedy: 'give a file of the command link-model',
  });
  return { linkModel: readLinkModel(bytes, path), sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The scorer at the start of the crawl. @throws DataError if the crawl's copy of its link model is missing or another one */
export function freshScorer(manifest: CrawlManifest, paths: CrawlPaths): LinkScorer {
  const scorer = strategyScorer(manifest, paths);
  const steered = wishesOf(manifest).some(({ way }) => way === 'more') ? new SteeredScorer(scorer) : scorer;
  return manifest.hooks === null ? steered : new WeightedScorer(steered);
}

function strategyScorer({ strategy, topic, rngSeed, linkModel: sha256, ownStrategy }: CrawlManifest, paths: CrawlPaths): LinkScorer {
  if (isOwnStrategy(strategy)) return ownScorer(strategy, ownStrategy?.judgement ?? 'none');
  const linkModel = sha256 === null ? null : ownLinkModel(paths, sha256);
  return linkScorer(strategy, { threshold: topic.threshold, seed: rngSeed, ...(linkModel && { linkModel }) });
}

/**
 * Teach a fresh scorer the settled URLs of the crawl, and restore the priorities of the waiting links. After a retraining they get the priorities of the
 * active model. Costs O(settled URLs), plus the time of a rescoring.
 */
export function resumeLinkScorer(manifest: CrawlManifest, paths: CrawlPaths, frontier: OpenLedger): LinkScorer {
  const scorer = freshScorer(manifest, paths);
  const past = pastOf(paths, frontier);
  frontier.noteScoredBy(manifest.topic.id);
  if (manifest.relabelled.length === 0) resumeScoring(scorer, frontier, past);
  else {
    relearn(scorer, past);
    frontier.rescore(scorer, scorer.learnedFrom, Number.POSITIVE_INFINITY);
  }
  return scorer;
}

/** Teaches a scorer of a program the settled URLs of the crawl, and gives the waiting links its priorities. Costs as `resumeLinkScorer`. */
export function teachReplacedScorer(
  scorer: LinkScorer,
  { topic }: CrawlManifest,
  paths: CrawlPaths,
  frontier: Pick<Ledger, 'settled'> & Pick<Durable, 'committedOffsets'> & Pick<OpenLedger, 'noteScoredBy' | 'rescore'>,
): void {
  frontier.noteScoredBy(topic.id);
  relearn(scorer, pastOf(paths, frontier));
  frontier.rescore(scorer, scorer.learnedFrom, Number.POSITIVE_INFINITY);
}

/** The settled and committed URLs of a crawl. Its recording is read only for scorers that observe all links. */
export function pastOf({ corpus }: CrawlPaths, frontier: Pick<Ledger, 'settled'> & Pick<Durable, 'committedOffsets'>): Past {
  return {
    settled: () => frontier.settled(),
    recording: () => recordedLinks(join(corpus, VISITS_FILE), frontier.committedOffsets()[VISITS_FILE] ?? 0),
  };
}

function ownLinkModel(paths: CrawlPaths, sha256: string): LinkWeights {
  const remedy = 'restore it from a copy, or start a new crawl directory';
  const path = paths.linkModel;
  if (!isThere(path)) throw new DamageError(`${path}: is missing, but the crawl was started with it; ${remedy}`);
  try {
    const own = openLinkModel(path);
    if (own.sha256 !== sha256) throw new DataError(`${path}: was changed after the crawl started; ${remedy}`);
    return own.linkModel;
  } catch (error) {
    throw damageIn(error);
  }
}
