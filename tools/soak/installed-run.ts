/** Train, crawl and harvest with an installed Forager, on a web that is generated here and served on loopback. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';

const TOPIC = 'topic-1';
const EXAMPLES = 20;
const BUDGET = '100';

interface WholeWay {
  /** What `--version` prints. */
  readonly said: string;
  /** Pages of the corpus, and how many are on topic by the labels of the web. */
  readonly kept: number;
  readonly onTopic: number;
}

/** @throws when a command fails, with what it printed */
export async function runWholeWay(node: string, installed: string, out: string): Promise<WholeWay> {
  // Not synchronous: this process is the server.
  const forager = async (...args: readonly string[]) => {
    const command = [join(installed, 'node_modules/.bin/forager'), ...args];
    return (await promisify(execFile)(node, command, { cwd: out, timeout: 300_000 })).stdout.trim();
  };
  const { web, proxy, close } = await startGeneratedWeb(generateWeb({ seed: 7, pages: 600, hosts: 12, topics: 4, locality: 0.6 }));
  try {
    mkdirSync(join(out, 'examples'), { recursive: true });
    for (const [i, html] of web.examples(TOPIC, EXAMPLES).entries()) writeFileSync(join(out, 'examples', `${i}.html`), html);
    const said = await forager('--version');
    await forager('train', 'examples', '--out', 'model');
    const where = ['--seeds', ...web.seeds(TOPIC, 3), '--proxy', proxy, '--contact', 'crawl@site.example'];
    await forager('crawl', 'crawl', '--topic', 'model', ...where, '--max-pages', BUDGET, '--delay', '20ms');
    await forager('harvest', 'crawl', '--out', 'corpus');
    const lines = readFileSync(join(out, 'corpus/corpus.jsonl'), 'utf8').split('\n').filter(Boolean);
    const urls = lines.map((line) => (JSON.parse(line) as { readonly url: string }).url);
    return { said, kept: urls.length, onTopic: urls.filter((url) => web.topicOf(url) === TOPIC).length };
  } finally {
    await close();
  }
}
