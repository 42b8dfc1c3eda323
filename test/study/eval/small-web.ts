/** A small generated web, frozen, with a guide that is right most of the times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freezeSource } from '../../../datasets/freeze.ts';
import type { GeneratedWebOptions } from '../../../datasets/generated-web/options.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import type { JudgedText } from '../../../src/base/core/parts/reading.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { WebGraph } from '../../../src/study/eval/graph.ts';
import { Guide } from '../../../src/study/eval/guide.ts';
import { judgeByLabels } from '../../../src/study/eval/page-judges.ts';
import type { Trial } from '../../../src/study/eval/trial.ts';

const TOPIC = 'topic-1';
/** The guide is wrong on one page in this many. */
const WRONG = 12;

export interface FrozenCase extends Omit<Trial, 'starts' | 'budget'> {
  /** URLs on topic, by the web itself. */
  readonly onTopic: readonly CanonicalUrl[];
  close(): void;
}

/** @param most URLs that are recorded; links lead to the others all the same */
export async function frozenCase(options: Partial<GeneratedWebOptions> = {}, most = Number.POSITIVE_INFINITY): Promise<FrozenCase> {
  const generated = generateWeb({ seed: 5, pages: 400, hosts: 8, topics: 4, locality: 0.5, hubs: 0.05, ...options });
  const dir = mkdtempSync(join(tmpdir(), 'forager-eval-test-'));
  const file = join(dir, 'web.jsonl.gz');
  freezeSource(generated.source, [...generated.urls()], file, most);
  const web = await FrozenWeb.open(file);
  const labels = new Map(web.urls.map((url) => [url, generated.isOnTopic(url, TOPIC)]));
  const onTopic = web.urls.filter((url) => labels.get(url));
  const relevanceOf = (url: string) => (generated.isOnTopic(url, TOPIC) !== ((hashWord(url) >>> 0) % WRONG === 0) ? 0.9 : 0.1);
  const words = new Set(onTopic.flatMap((url) => titleWords(web, url)));
  const model = {
    id: 'truth, mostly',
    threshold: 0.5,
    judge: (page: JudgedText) => relevanceOf('url' in page ? (page.url ?? '') : ''),
    judgeText: (text: string) => (text.split(' ').some((word) => words.has(word)) ? 0.8 : 0.2),
  };
  return {
    web,
    graph: await WebGraph.of(web),
    guide: new Guide(web, model),
    judge: judgeByLabels('labels', web, labels, new Set()),
    onTopic,
    close: () => {
      web.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function titleWords(web: FrozenWeb, url: string): string[] {
  const visit = web.visit(web.indexOf(url));
  return visit.kind === 'page' ? visit.content.title.split(' ').filter((word) => word.length > 6) : [];
}
