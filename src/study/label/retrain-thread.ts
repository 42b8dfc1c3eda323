/** Worker thread: trains the topic of a running crawl again. study/label/background-retraining.ts is the other end. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/core/errors.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModel } from '../../crawling/crawl-dir/load-topic.ts';
import { topicPart } from '../../crawling/crawl-dir/topic-part.ts';
import type { RetrainReply, RetrainRequest } from './background-retraining.ts';
import { type PageOfCrawl, textsAt } from './judged-pages.ts';
import { LabelLog } from './label-log.ts';
import { retrain } from './retrain.ts';

const { dir, topicName, lines, texts, end, share, warmUp } = workerData as RetrainRequest;
const { corpus } = crawlPaths(dir);

function textsOf(urls: Iterable<CanonicalUrl>): AsyncGenerator<PageOfCrawl> {
  const wanted = new Set(urls);
  return textsAt(
    corpus,
    texts.filter(([url]) => wanted.has(url)),
    end,
  );
}

async function answer(): Promise<RetrainReply> {
  const warnings: string[] = [];
  try {
    const { paths, manifest } = topicPart(dir, readManifest(dir), topicName ?? undefined);
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
