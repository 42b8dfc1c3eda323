/** Worker thread: trains the topic of a running crawl again. label/background-retraining.ts is the other end. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../core/errors.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { crawlPaths, readManifest } from '../crawl-dir/crawl-directory.ts';
import { loadOwnModel } from '../crawl-dir/load-topic.ts';
import type { RetrainReply, RetrainRequest } from './background-retraining.ts';
import { type PageOfCrawl, textsAt } from './judged-pages.ts';
import { LabelLog } from './label-log.ts';
import { retrain } from './retrain.ts';

const { dir, lines, texts, end, share, warmUp } = workerData as RetrainRequest;
const paths = crawlPaths(dir);

function textsOf(urls: Iterable<CanonicalUrl>): AsyncGenerator<PageOfCrawl> {
  const wanted = new Set(urls);
  return textsAt(
    paths.corpus,
    texts.filter(([url]) => wanted.has(url)),
    end,
  );
}

async function answer(): Promise<RetrainReply> {
  const warnings: string[] = [];
  try {
    const manifest = readManifest(dir);
    const model = await loadOwnModel(paths, manifest);
    const log = LabelLog.open(paths.labels, undefined, () => undefined, lines);
    const retrained = await retrain({ paths, manifest, model, log, textsOf, share, warmUp }, { warn: (message) => warnings.push(message) });
    const { settings, tables } = retrained.model;
    return { kind: 'trained', retrained: { ...retrained, model: { settings, tables } }, warnings };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

parentPort?.postMessage(await answer());
