/** Checks of the other files of a crawl, apart from frontier and corpus. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { type CrawlManifest, type CrawlPaths, readManifest, topicsOf } from '../../crawling/crawl-dir/crawl-directory.ts';
import { freshScorer } from '../../crawling/crawl-dir/crawl-scorer.ts';
import { checkOwnFieldRules } from '../../crawling/crawl-dir/field-rules-file.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { checkJudgements } from '../../crawling/openings/judgement-cache.ts';
import { loadCard, loadModel } from '../../reading/topic/files.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { heldOutModels, readHeldOut } from '../label/held-out-file.ts';
import { AnswerCache } from '../label/judge/answer-cache.ts';
import { LabelLog } from '../label/label-log.ts';
import { refuseLostLabels } from '../label/label-witness.ts';
import { readQuestions } from '../label/questions-file.ts';
import { readWishes } from '../label/wish-log.ts';
import { readReport, reportNumbers } from '../watch/watch-files.ts';
import { type Check, type Examined, faultOf, type LookAt } from './verify-check.ts';

export const MANIFEST_CHECK = 'crawl.json';

export const OWN_FILE_CHECKS: readonly Check[] = [
  { name: MANIFEST_CHECK, faults: manifestFaults },
  { name: 'topic models', needs: [MANIFEST_CHECK], faults: modelFaults },
  {
    name: 'field rules',
    needs: [MANIFEST_CHECK],
    skips: ({ manifest }) => (manifest?.fieldRules === null ? 'the crawl has none' : null),
    faults: ({ paths, manifest }) => faultOf(() => manifest && checkOwnFieldRules(paths, manifest)),
  },
  {
    name: 'link model',
    needs: [MANIFEST_CHECK],
    skips: ({ manifest }) => (manifest?.linkModel === null ? 'the crawl began without one' : null),
    faults: ({ paths, manifest }) => faultOf(() => manifest && freshScorer(manifest, paths)),
  },
  { name: 'labels', skips: ({ paths, manifest }) => (hasLabels(paths, manifest) ? null : 'there are none'), faults: labelFaults },
  {
    name: 'wishes about subtopics',
    skips: ({ paths }) => (isThere(paths.wishes) ? null : 'there are none'),
    faults: ({ paths }) => faultOf(() => readWishes(paths)),
  },
  {
    name: 'judgements of a judge of yours',
    skips: ({ paths }) => (isThere(paths.judgements) ? null : 'there are none'),
    faults: ({ paths }) => faultOf(() => checkJudgements(paths)),
  },
  {
    name: 'reports of a watch',
    skips: ({ paths }) => (isThere(paths.watch) ? null : 'there are none'),
    faults: watchFaults,
  },
];

async function* watchFaults({ paths }: Examined): AsyncGenerator<string> {
  for (const number of reportNumbers(paths))
    yield* faultOf(() => {
      readReport(paths, number);
    });
}

async function* manifestFaults(crawl: Examined): AsyncGenerator<string> {
  yield* faultOf(() => {
    crawl.manifest = readManifest(crawl.paths.dir);
  });
}

/** All models, including those that are no longer active: a relabelling can be taken back to them. */
async function* modelFaults({ paths, manifest }: Examined, look: LookAt): AsyncGenerator<string> {
  if (manifest === null) return;
  for (const [folder, id] of modelsOf(paths, manifest)) {
    await look();
    yield* faultOf(async () => {
      const model = await loadModel(folder);
      if (model.id !== id) throw new ModelError(`${folder}: is model ${model.id} where the crawl has ${id}; restore it from a copy`);
      await loadCard(folder);
      await readTraining(folder);
    });
  }
}

function modelsOf(paths: CrawlPaths, manifest: CrawlManifest): ReadonlyMap<string, string> {
  const { topic, topics, relabelled } = manifest;
  const first = relabelled[0]?.from ?? topic.id;
  const ids = isThere(paths.models) ? readdirSync(paths.models).filter((name) => !name.startsWith('.')) : [];
  return new Map([
    ...(topics.length === 0 ? [[paths.model, first] as const] : []),
    ...ids.map((id) => [join(paths.models, id), id] as const),
    ...topicsOf(paths, manifest).map(({ folder, id }) => [folder, id] as const),
  ]);
}

function hasLabels({ labels, labelling }: CrawlPaths, manifest: CrawlManifest | null): boolean {
  return isThere(labels) || isThere(labelling) || (manifest?.relabelled.length ?? 0) > 0;
}

async function* labelFaults({ paths, manifest }: Examined): AsyncGenerator<string> {
  if (manifest === null || manifest.topics.length === 0) yield* faultsOfLabels(paths, manifest);
  else for (const part of topicParts(paths.dir, manifest)) yield* faultsOfLabels(part.paths, part.manifest);
}

/** Faults of the labels of one topic. */
async function* faultsOfLabels(paths: CrawlPaths, manifest: CrawlManifest | null): AsyncGenerator<string> {
  const torn: string[] = [];
  yield* faultOf(() => {
    const log = LabelLog.open(paths.labels, undefined, (message) => torn.push(message));
    if (manifest !== null) refuseLostLabels(paths, manifest, log.lines);
  });
  yield* torn;
  yield* faultOf(() => {
    readQuestions(paths);
  });
  yield* faultOf(() => {
    AnswerCache.open(paths);
  });
  for (const id of heldOutModels(paths))
    yield* faultOf(() => {
      readHeldOut(paths, id);
    });
}
