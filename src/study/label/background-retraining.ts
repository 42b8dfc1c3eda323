/** Trains the topic of a running crawl again, in a thread of its own: the crawl continues meanwhile. */

import { Worker } from 'node:worker_threads';
import { StoreError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import type { OpenLedger } from '../../base/core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, Unit } from '../../base/core/types.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { LinearTopicModel } from '../../reading/topic/model.ts';
import { placesOf, recordsEnd, type TextPlace, warmUpPages } from './judged-pages.ts';
import type { LabelLog } from './label-log.ts';
import { type Retrained, shareOnTopic } from './retrain.ts';

/** The input of the thread. It opens no frontier: this process already writes to it. */
export interface RetrainRequest {
  readonly dir: string;
  /** The topic to train, in a crawl of several; null in a crawl of one. */
  readonly topicName: string | null;
  /** Lines of the label file to train with: later answers belong to the next training. */
  readonly lines: number;
  /** Places of the texts of the pages of the warm-up, the labelled pages, and those that a language model has answered. */
  readonly texts: readonly (readonly [CanonicalUrl, TextPlace])[];
  /** Number of committed bytes of corpus records. */
  readonly end: Bytes;
  readonly share: Unit | null;
  /** Pages of the warm-up. */
  readonly warmUp: readonly CanonicalUrl[];
}

export type RetrainReply =
  | {
      readonly kind: 'trained';
      readonly retrained: Omit<Retrained, 'model'> & { readonly model: Pick<LinearTopicModel, 'settings' | 'tables'> };
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/** A running training. */
export interface BackgroundRetraining {
  readonly part: TopicPart;
  /** Lines of the label file that it trains with. */
  readonly lines: number;
  /** Rejects with a StoreError if the training fails, or is stopped. */
  readonly done: Promise<Retrained>;
  stop(): Promise<void>;
}

/** Starts a training with the answers of a log and the warm-up. Takes O(discovered URLs) in the calling thread, for the shares of the random answers. */
export function startRetraining(
  part: TopicPart,
  log: LabelLog,
  frontier: Pick<OpenLedger, 'find' | 'requested' | 'settled' | 'committedOffsets'>,
  warn: (message: string) => void,
): BackgroundRetraining {
  const { dir } = part.paths;
  const warmUp = warmUpPages(frontier);
  const urls = [...log.labels, ...log.modelAnswers()].map(({ url }) => url as CanonicalUrl);
  const request: RetrainRequest = {
    dir,
    topicName: part.place === null ? null : part.topic.name,
    lines: log.lines,
    texts: placesOf(frontier, new Set([...urls, ...warmUp])),
    end: recordsEnd(frontier),
    share: shareOnTopic({ frontier, lost: new Set() }, part, log),
    warmUp,
  };
  const worker = new Worker(packageFile('dist/bin/retrain-thread.js'), { workerData: request });
  const done = new Promise<Retrained>((resolve, reject) => {
    const fail = (why: string) => reject(new StoreError('STORE_IO', `${dir}: training again failed: ${why}`));
    worker.on('message', (reply: RetrainReply) => {
      if (reply.kind === 'failed') {
        fail(reply.message);
        return;
      }
      for (const message of reply.warnings) warn(message);
      const { settings, tables } = reply.retrained.model;
      resolve({ ...reply.retrained, model: new LinearTopicModel(settings, tables) });
    });
    worker.on('error', (error) => fail(error.message));
    worker.on('exit', () => fail('its thread ended'));
  });
  // A caller that awaits it sees the failure. A crawl that ends first does not.
  done.catch(() => undefined);
  const stop = async () => {
    await worker.terminate();
  };
  return { part, lines: request.lines, done, stop };
}
