/**
 * What reading PDFs brings to a crawl: on-topic pages kept for a number of visits, on a generated web of which a fifth is PDF, with `--documents pdf`
 * and without. The truth is that of the generator.
 *
 *   npm run bench -- documents [--pages 4000] [--visits 250,500,1000,2000] [--seeds 3]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, records, train } from 'forager';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import { withPdfs } from '../soak/document-web.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '4000' },
    visits: { type: 'string', default: '250,500,1000,2000' },
    seeds: { type: 'string', default: '3' },
  },
});
const TOPIC = 'topic-1';
/** Every so many pages is a PDF. */
const FIFTH = 5;
const folder = mkdtempSync(join(tmpdir(), 'forager-bench-documents-'));

/** Pages on the topic that a crawl kept: HTML and PDF. */
async function kept(web: GeneratedWeb, dir: string): Promise<readonly [html: number, pdf: number]> {
  const counts: [number, number] = [0, 0];
  for await (const { url, document } of records(dir)) if (web.page(url)?.topic === TOPIC) counts[document === undefined ? 0 : 1] += 1;
  return counts;
}

async function trained(web: GeneratedWeb, out: string): Promise<string> {
  const examples = join(out, 'examples');
  mkdirSync(examples, { recursive: true });
  for (const [n, html] of web.examples(TOPIC, 20).entries()) writeFileSync(join(examples, `${n}.html`), html);
  await train({ examples: [examples], out: join(out, 'model') });
  return join(out, 'model');
}

async function compared(seed: number): Promise<void> {
  const web = generateWeb({ seed, pages: Number(values.pages), hosts: 60, topics: 8, hubs: 0.05 });
  const topic = await trained(web, join(folder, `${seed}`));
  const server = await startWebProxy(withPdfs(web.source, FIFTH), {});
  for (const visits of values.visits.split(',').map(Number)) {
    const cells: string[] = [];
    for (const kind of ['none', 'pdf'] as const) {
      const dir = join(folder, `${seed}-${visits}-${kind}`);
      const documents = kind === 'pdf' ? (['pdf'] as const) : kind;
      const options = { dir, topic, seeds: web.seeds(TOPIC, 3), proxy: server.proxy, delay: 0, maxPages: visits, concurrency: 8 };
      const { counts } = await crawl({ ...options, documents });
      const [html, pdf] = await kept(web, dir);
      cells.push(`${counts.visited}`, `${html + pdf}`, `${pdf}`);
      rmSync(dir, { recursive: true, force: true });
    }
    console.log(`| ${seed} | ${visits} | ${cells.join(' | ')} |`);
  }
  await server.close();
}

try {
  console.log('| web | most visits | visits, none | on topic | of them PDF | visits, pdf | on topic | of them PDF |');
  console.log(`|${' ---: |'.repeat(8)}`);
  for (let seed = 1; seed <= Number(values.seeds); seed++) await compared(seed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
