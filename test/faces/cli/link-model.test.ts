import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(size(400, 250));
const { path } = small;
let model: string;
let served: Served;
const links = path('links.json.gz');

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
  await done(...crawlArgs('first', size(120, 70)));
  const stdout = await done('link-model', path('first'), '--out', links);
  expect(stdout).toMatch(/links\.json\.gz: [\d,]+ features, learned from \d+ pages/);
});
afterAll(() => small.close());

function crawlArgs(dir: string, pages: number, ...more: string[]): string[] {
  const limits = ['--max-pages', String(pages), '--delay', '0ms', '--concurrency', '1', '--proxy', served.proxy];
  return ['crawl', path(dir), '--topic', model, '--seeds', ...small.seeds, ...limits, ...more];
}

interface Line {
  readonly url: string;
  readonly order: number | null;
  readonly priority: number;
}

async function visits(dir: string): Promise<readonly Line[]> {
  const lines = jsonLines<Line>(await done('ledger', path(dir)));
  const settled = lines.filter(({ order }) => order !== null).sort((a, b) => Number(a.order) - Number(b.order));
  return settled.map(({ url, order, priority }) => ({ url, order, priority }));
}

test('a crawl that begins with it follows other links, keeps it when it goes on, and explains priorities by it', async () => {
  const pages = size(40, 24);
  await done(...crawlArgs('plain', pages));
  await done(...crawlArgs('taught', pages - 10, '--link-model', links));
  await done(...crawlArgs('taught', pages));
  await done(...crawlArgs('whole', pages, '--link-model', links));
  const [plain, taught, whole] = [await visits('plain'), await visits('taught'), await visits('whole')];
  expect(taught).toEqual(whole);
  expect(taught.map(({ url }) => url)).not.toEqual(plain.map(({ url }) => url));
  const { url, priority } = taught.at(-1) ?? { url: '', priority: 0 };
  const why = JSON.parse(await done('why', path('taught'), url, '--json')) as { link: { explanation: { priority: number } } };
  expect(why.link.explanation.priority).toBeCloseTo(priority, 6);
});

test('refused: no file, a damaged one, a strategy that does not learn, another one on a crawl that has begun', async () => {
  await refused(2, ['gone.gz: no link model is here', 'forager link-model'], ...crawlArgs('new', 10, '--link-model', path('gone.gz')));
  writeFileSync(path('bad.gz'), 'no gzip');
  await refused(2, ['bad.gz: is not a link model'], ...crawlArgs('new', 10, '--link-model', path('bad.gz')));
  await refused(2, ['bfs does not learn'], ...crawlArgs('new', 10, '--link-model', links, '--strategy', 'bfs'));
  expect(existsSync(path('new'))).toBe(false);
  await refused(2, ['was started without a link model'], ...crawlArgs('first', 130, '--link-model', links));
  await done(...crawlArgs('breadth', 5, '--strategy', 'bfs'));
  await refused(
    2,
    ['was crawled by bfs; only a crawl by the apprentice has a link model'],
    'link-model',
    path('breadth'),
    '--out',
    path('none.gz'),
  );
  await refused(2, ['already exists', 'give another'], 'link-model', path('first'), '--out', links);
});

wholeTest("a crawl's own copy that is gone or changed is named", async () => {
  await done(...crawlArgs('own', 10, '--link-model', links));
  cpSync(path('own'), path('lost'), { recursive: true });
  rmSync(path('lost', 'link-model.json.gz'));
  await refused(3, ['link-model.json.gz: is missing'], ...crawlArgs('lost', 20));
  await refused(2, ['belongs to the crawl itself'], 'link-model', path('own'), '--out', path('own', 'link-model.json.gz'), '--force');
  await done('link-model', path('own'), '--out', path('later'));
  cpSync(path('later'), path('own', 'link-model.json.gz'));
  await refused(3, ['link-model.json.gz: was changed'], ...crawlArgs('own', 20));
});
