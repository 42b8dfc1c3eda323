/** The web of `npm run bench -- crawl` and a topic model for it, from a process of its own; served on many loopback addresses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { train } from 'forager';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';

const [pageBytes = '20000', pages = '1000', folder = '.'] = process.argv.slice(2);
// Boilerplate brings about 10 links, so that a page has about 60.
const web = generateWeb({
  seed: 3,
  pages: Number(pages) + 200,
  hosts: 200,
  topics: 2,
  linksPerPage: 50,
  locality: 0.6,
  pageBytes: Number(pageBytes),
});
const server = await startGeneratedWeb(web, { direct: true });
server.web.prerender();
const examples = join(folder, `examples-${pageBytes}`);
mkdirSync(examples, { recursive: true });
for (const [i, html] of server.web.examples('topic-1', 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
const model = join(folder, `model-${pageBytes}`);
await train({ examples: [examples], out: model });
process.send?.({ seeds: server.web.seeds('topic-1', 20), model });
let counted = 0;
process.on('message', async (message) => {
  if (message === 'count') {
    const served = server.log.slice(counted).filter(({ path, status }) => status === 200 && path !== '/robots.txt');
    counted = server.log.length;
    process.send?.({ pages: served.length });
    return;
  }
  await server.close();
  process.exit(0);
});
