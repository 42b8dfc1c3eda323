/** Worker thread: extract and judge one page after the other. See crawl/read-pool.ts for the other end. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LinkJudgement } from '../core/parts.ts';
import { packLinks } from '../crawl/packed-links.ts';
import type { ListReply, ReadReply, ReadRequest } from '../crawl/read-pool.ts';
import { PageExtractor } from '../extract/extractor.ts';
import { Committee } from '../topic/committee.ts';
import { loadModel } from '../topic/files.ts';
import { SettledUrls } from '../web/settled-urls.ts';
import { openFieldRules } from './field-rules.ts';
import { commonMethod } from './load-topic.ts';
import { pageLanguage } from './page-language.ts';
import { readList } from './read-list.ts';
import { readPage } from './read-page.ts';

export interface ReadWorkerData {
  /** Folders of the topic models. */
  readonly models: readonly string[];
  readonly productToken: string;
  readonly judgement: LinkJudgement;
  /** Memory of the `SettledUrls` that no link is wanted to; null where all links are wanted. */
  readonly settled: SharedArrayBuffer | null;
  /** File of field rules; null for none. */
  readonly fieldRules: string | null;
}

const { models: folders, productToken, judgement, settled, fieldRules } = workerData as ReadWorkerData;
const models = await Promise.all(folders.map((folder) => loadModel(folder)));
const committee = new Committee(models);
const languageOf = await pageLanguage(...models);
const fields = fieldRules === null ? null : (await openFieldRules(fieldRules)).reader;
const settledUrls = settled && new SettledUrls(settled);
const extractor = new PageExtractor({
  productToken,
  fields,
  extractor: commonMethod(models, folders),
  ...(settledUrls && { isPassedOver: (url) => settledUrls.has(url) }),
});

/** One after the other: who asks waits for the first. */
let done: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: ReadRequest) => {
  done = done.then(() => answer(request));
});

async function answer({ id, list, ...page }: ReadRequest): Promise<void> {
  if (list !== null) {
    const { links, lists } = await readList(page, list, committee, judgement);
    parentPort?.postMessage({ id, lists, links: packLinks(links) } satisfies ListReply);
    return;
  }
  const { links, ...read } = readPage(page, extractor, committee, judgement, languageOf);
  parentPort?.postMessage({ id, read, links: packLinks(links) } satisfies ReadReply);
}
