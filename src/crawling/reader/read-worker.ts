/** Worker thread: extracts and judges one page after another. crawling/reader/read-pool.ts is the other end. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { Fingerprint } from '../../base/core/fingerprint.ts';
import type { LinkJudgement } from '../../base/core/parts/reading.ts';
import { SettledUrls } from '../../base/core/settled-urls.ts';
import type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
import { LinearTopicModel } from '../../reading/topic/model.ts';
import { openFieldRules } from '../crawl-dir/field-rules-file.ts';
import { packLinks } from './packed-links.ts';
import { pageReading } from './page-reading.ts';
import { readAnyParts } from './read-page.ts';
import type { FaultReply, ListReply, ReadReply, ReadRequest } from './read-pool.ts';

export interface ReadWorkerData {
  /** The topic models, already checked: a thread that read their files again would take a quarter of a second to start. */
  readonly models: readonly Pick<LinearTopicModel, 'settings' | 'tables'>[];
  /** The extractor that all models need. */
  readonly method: MainTextMethod;
  readonly productToken: string;
  readonly judgement: LinkJudgement;
  /** True if links are hashed for the link scorer. */
  readonly hashing: boolean;
  /** Memory of the `SettledUrls` to which no link is wanted; null if all links are wanted. */
  readonly settled: SharedArrayBuffer | null;
  /** Kinds of documents that are pages. */
  readonly documents: readonly DocumentKindName[];
  /** True if the alternates of the pages of a list are wanted. */
  readonly alternates: boolean;
  /** File of field rules; null for none. */
  readonly fieldRules: string | null;
}

const { method, productToken, judgement, hashing, settled, fieldRules, documents, alternates, ...given } = workerData as ReadWorkerData;
const models = given.models.map(({ settings, tables }) => new LinearTopicModel(settings, tables));
const fields = fieldRules === null ? null : (await openFieldRules(fieldRules)).reader;
const settledUrls = settled && new SettledUrls(settled);
const options = {
  productToken,
  ...(fields && { fields }),
  extractor: method,
  ...(settledUrls && {
    isSettled: Object.assign((print: Readonly<Fingerprint>) => settledUrls.hasPrint(print), {
      touch: (lo: number) => settledUrls.touch(lo),
    }),
  }),
};
const reading = await pageReading(models, judgement, options, hashing, documents);

/** One after the other: each request waits for the one before. */
let done: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: ReadRequest) => {
  done = done.then(() => answer(request));
});

async function answer(request: ReadRequest): Promise<void> {
  const { id, list } = request;
  if (list !== null) {
    // Few crawls read lists, and the list of public suffixes takes a tenth of a second to load.
    const { readListBytes } = await import('./read-list.ts');
    const { links, lists } = await readListBytes(request, list, reading.committee, judgement, alternates);
    parentPort?.postMessage({ id, lists, links: packLinks(links) } satisfies ListReply);
    return;
  }
  const outcome = await readAnyParts(request, reading);
  if (outcome.kind !== 'read') {
    parentPort?.postMessage({ id, fault: outcome } satisfies FaultReply);
    return;
  }
  parentPort?.postMessage({ id, read: outcome.read, links: packLinks(outcome.links) } satisfies ReadReply);
}
