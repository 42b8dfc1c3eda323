import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Evaluation, evaluate } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freezeSource } from '../../../datasets/freeze.ts';
import { virtualSource } from '../../../datasets/page-source.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, refused } from '../cli/forager.ts';
import { type Served, smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb(300);
const { path } = small;
const web = path('web.jsonl.gz');
const labels = path('labels.csv');
const onTopic = small.web.urlsOf(small.topic);
let topic: string;
let other: string;
let served: Served;

beforeAll(async () => {
  freezeSource(small.web.source, [...small.web.urls()], web);
  const lines = small.web.urls().map((url) => `${url},${Number(small.web.isOnTopic(url, small.topic))}`);
  writeFileSync(labels, `url,on_topic\n${lines.join('\n')}\nhttp://nowhere.example/,y\nhttp://nowhere.example/2,false\n`);
  served = await small.serve();
  topic = await trainedOn(small);
  other = await trainedOnce({ examples: [small.examples], out: path('other'), rngSeed: 7 });
});
afterAll(() => small.close());

const common = () => ({ web, topic, judge: labels });
const hashes = ({ results }: Evaluation) => results.map(({ strategy, seed, orderSha256 }) => `${strategy} ${seed} ${orderSha256}`);

wholeTest('the same evaluation twice: the same orders, figures and report, and each seed its own starts', async () => {
  const options = { ...common(), strategies: ['apprentice', 'random', 'distance'], budget: 60, repeats: 3 };
  const [one, two] = [await evaluate(options), await evaluate(options)];
  expect(two).toEqual(one);
  expect(one.files).toEqual([]);
  expect(new Set(hashes(one.evaluation)).size).toBe(9 + 3);
  expect(one.evaluation.results.map(({ strategy, seed }) => `${seed} ${strategy}`)).toEqual(
    [1, 2, 3].flatMap((seed) => [...options.strategies, 'bound'].map((strategy) => `${seed} ${strategy}`)),
  );
  const starts = one.evaluation.starts.map(({ urls }) => urls);
  expect(new Set(starts.map(String)).size).toBe(3);
  for (const url of starts.flat()) expect(onTopic).toContain(url);
});

wholeTest('by default all strategies but dfs and both oracles, five seeds, a budget of twice what there is to find', async () => {
  const { evaluation, markdown } = await evaluate(common());
  expect(evaluation.strategies).toEqual(
    expect.arrayContaining(['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'random', 'one-step', 'distance']),
  );
  expect(evaluation.strategies).not.toContain('dfs');
  expect(evaluation.results).toHaveLength(5 * evaluation.strategies.length);
  for (const { total, budget, visits } of evaluation.results) {
    expect(total).toBeLessThanOrEqual(onTopic.length);
    expect(budget).toBe(Math.max(100, 2 * total));
    expect(visits).toBeLessThanOrEqual(budget);
  }
  expect(markdown).toContain(`Judge: ${labels}; ${onTopic.length} pages of the web are on topic`);
  expect(markdown).toContain(`2 of ${small.web.urls().length + 2} labels are of URLs that are not in this web`);
  expect(markdown).not.toContain('The judge is the guide');
  expect(markdown).toContain('No --examples');
});

test('the table has the means of the seeds, and the first strategy less each other', async () => {
  const { evaluation, markdown } = await evaluate({ ...common(), strategies: ['bfs', 'random'], budget: 50, repeats: 2 });
  const of = (strategy: string) => evaluation.results.filter((result) => result.strategy === strategy);
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const auc = (strategy: string) => mean(of(strategy).map(({ measures }) => measures.recallAuc));
  const cells = (strategy: string) =>
    markdown
      .split('\n')
      .find((line) => line.startsWith(`| ${strategy} `))
      ?.split(' | ') ?? [];
  for (const strategy of ['bfs', 'random']) {
    expect(cells(strategy)[1]).toBe(auc(strategy).toFixed(3));
    expect(cells(strategy)[5]).toBe(mean(of(strategy).map(({ measures }) => measures.harvestRate[3] ?? 0)).toFixed(3));
    expect(cells(strategy)[6]).toBe(mean(of(strategy).map(({ measures }) => measures.recall[0] ?? 0)).toFixed(3));
  }
  const difference = auc('bfs') - auc('random');
  expect(cells('random').at(-1)).toMatch(new RegExp(`^[+]${difference.toFixed(3)} \\[[+−]0\\.\\d{3}, [+−]0\\.\\d{3}\\] \\|$`));
  expect(cells('bfs').at(-1)?.trim()).toBe('|');
});

test('examples never count as found, and nobody starts from them', async () => {
  const examples = onTopic.slice(0, 30);
  writeFileSync(path('examples.txt'), `${examples.join('\n')}\nhttp://nowhere.example/\n`);
  const options = { ...common(), strategies: ['distance'], budget: 100, repeats: 4 };
  const { evaluation, markdown } = await evaluate({ ...options, examples: [path('examples.txt')] });
  expect(evaluation.judge.onTopic).toBe(onTopic.length - 30);
  for (const url of evaluation.starts.flatMap(({ urls }) => urls)) expect(examples).not.toContain(url);
  expect(markdown).toContain('Of 31 pages that the guide was trained on 30 are in this web');
});

test('a model judges; when it is the guide, the report says so', async () => {
  const options = { web, topic, strategies: ['bfs'], budget: 50, repeats: 1 };
  const byOther = await evaluate({ ...options, judge: `model:${other}` });
  expect(byOther.evaluation.judge).toMatchObject({ name: expect.stringMatching(/^model other \([0-9a-f]{16}\)$/), isGuide: false });
  expect(byOther.markdown).not.toContain('The judge is the guide');
  const byGuide = await evaluate({ ...options, judge: `model:${topic}` });
  expect(byGuide.evaluation.judge.isGuide).toBe(true);
  expect(byGuide.markdown).toContain('**The judge is the guide**');
});

test('guided by labels, strategies know which pages that they read are on topic; a judge without labels is refused', async () => {
  const wrong = path('wrong.csv');
  const flipped = small.web.urls().map((url) => `${url},${Number(!small.web.isOnTopic(url, small.topic))}`);
  writeFileSync(wrong, `url,on_topic\n${flipped.join('\n')}\n`);
  const options = { ...common(), strategies: ['parent'], budget: 60, repeats: 1, seeds: onTopic.slice(0, 3), guide: 'labels' as const };
  const right = await evaluate(options);
  expect(right.evaluation.guide.pages).toBe('labels');
  expect(right.markdown).toContain("Guide: the judge's labels for pages");
  const { orderSha256: byWrong } = (await evaluate({ ...options, judge: wrong })).evaluation.results[0] ?? {};
  expect(byWrong).not.toBe(right.evaluation.results[0]?.orderSha256);
  await expect(evaluate({ ...options, judge: `model:${other}` })).rejects.toThrow(/--guide labels: --judge .* has no labels/);
  const args = ['eval', '--web', web, '--topic', topic, '--judge', labels];
  await refused(2, ['--guide lables', 'model', 'labels'], ...args, '--guide', 'lables');
});

test('URLs that end like media are not visited, as no crawl visits them', async () => {
  const media = path('media.jsonl.gz');
  const paths = ['/', '/a', '/b', '/film.mp4', '/photo.jpg'];
  const html = (at: string) =>
    `<!doctype html><title>${at}</title><p>Moss at ${at}.</p>${paths.map((to) => `<a href="${to}">moss</a>`).join('')}`;
  const source = virtualSource(new Map([['moss.example', new Map(paths.map((at) => [at, html(at)]))]]));
  const urls = paths.map((at) => `http://moss.example${at}`);
  freezeSource(source, urls, media);
  writeFileSync(path('media.csv'), `url,on_topic\n${urls.map((url) => `${url},1`).join('\n')}\n`);
  const options = { web: media, topic, judge: path('media.csv'), strategies: ['bfs', 'distance'], budget: 5, seeds: urls.slice(0, 1) };
  for (const { visits, strategy } of (await evaluate(options)).evaluation.results)
    if (strategy !== 'bound') expect([strategy, visits]).toEqual([strategy, 3]);
});

test('starts that are given are those of every seed; unknown ones are told', async () => {
  const [first = ''] = onTopic;
  const { evaluation, markdown } = await evaluate({
    ...common(),
    strategies: ['bfs'],
    budget: 50,
    seeds: [first, 'http://nowhere.example/'],
  });
  expect(evaluation.starts).toEqual([{ seed: 1, urls: [first] }]);
  expect(markdown).toContain('1 of 2 starts are not in this web');
  expect(markdown).toContain('One seed: differences have no interval.');
});

wholeTest('forager eval prints the report, and --out has it with the figures and the curves', async () => {
  const out = path('out');
  const args = [
    'eval',
    '--web',
    web,
    '--topic',
    topic,
    '--judge',
    labels,
    '--strategies',
    'parent,bfs',
    '--budget',
    '60',
    '--repeats',
    '2',
  ];
  const { code, stdout, stderr } = await forager(...args, '--out', out);
  expect([code, stderr.split('\n').filter((line) => line.startsWith('forager: wrote ')).length]).toEqual([0, 3]);
  expect(readdirSync(out).sort()).toEqual(['curves.svg', 'report.md', 'results.json']);
  expect(readFileSync(`${out}/report.md`, 'utf8')).toBe(stdout);
  const results = JSON.parse(readFileSync(`${out}/results.json`, 'utf8')) as Evaluation;
  expect(results).toEqual((await evaluate({ ...common(), strategies: ['parent', 'bfs'], budget: 60, repeats: 2 })).evaluation);
  expect(JSON.parse(await done(...args, '--json'))).toEqual(results);
  await refused(2, [out, 'already holds an evaluation', 'give another'], ...args, '--out', out);
});

wholeTest('a web behind a proxy is frozen first, and kept with --out', async () => {
  const before = served.pages.length;
  const options = { topic, judge: labels, strategies: ['bfs', 'distance'], budget: 40 };
  const { evaluation, files } = await evaluate({
    ...options,
    web: served.proxy,
    seeds: small.seeds,
    maxPages: 80,
    delay: 0,
    out: path('through'),
  });
  expect(evaluation.web).toEqual({ path: served.proxy, urls: 80, pages: 80 });
  expect(new Set(served.pages.slice(before)).size).toBe(80);
  const kept = path('through', 'web.jsonl.gz');
  expect(files).toContain(kept);
  const again = await evaluate({ ...options, web: kept, seeds: small.seeds });
  expect(hashes(again.evaluation)).toEqual(hashes(evaluation));
  await expect(evaluate({ ...options, web: served.proxy })).rejects.toThrow('is a proxy, so --seeds are needed');
  await expect(evaluate({ ...options, web: 'http://127.0.0.1:1', seeds: small.seeds })).rejects.toMatchObject({ code: 'ENVIRONMENT' });
});

test.each<[string, () => string[], string[]]>([
  ['no web', () => ['--topic', topic, '--judge', labels], ['--web is missing']],
  ['no judge', () => ['--web', web, '--topic', topic], ['--judge is missing']],
  ['a web that is not there', () => ['--web', path('none'), '--topic', topic, '--judge', labels], [path('none'), 'cannot be read']],
  ['a web that is none', () => ['--web', labels, '--topic', topic, '--judge', labels], [labels, 'is not a frozen web', 'forager freeze']],
  ['a topic that is none', () => ['--web', web, '--topic', path('none'), '--judge', labels], ['no topic model is here']],
  ['a judge that is not there', () => ['--web', web, '--topic', topic, '--judge', path('none')], [path('none'), 'no such file']],
  ['a model that is not there', () => ['--web', web, '--topic', topic, '--judge', `model:${path('none')}`], ['no topic model is here']],
  ['a strategy that is none', () => [...good(), '--strategies', 'bsf'], ['--strategies bsf', 'one-step', 'distance']],
  ['a budget that is none', () => [...good(), '--budget', '0'], ['--budget 0']],
  ['seeds that are none', () => [...good(), '--repeats', 'x'], ['--repeats x']],
  ['starts that are elsewhere', () => [...good(), '--seeds', 'http://nowhere.example/'], ['--seeds: none of 1 URLs is in', web]],
  ['--pages without a proxy', () => [...good(), '--pages', '10'], ['--max-pages, --delay and --contact have no effect']],
  ['--out that is a file', () => [...good(), '--out', labels], [labels, 'is a file, not a folder']],
  [
    'labels with a bad line',
    () => ['--web', web, '--topic', topic, '--judge', bad('http://a.example/,perhaps')],
    ['bad.csv:2', '"perhaps"'],
  ],
  ['labels of no URL', () => ['--web', web, '--topic', topic, '--judge', bad('a,1')], ['bad.csv:2', '"a" is not an http(s) URL']],
  [
    'labels of other URLs',
    () => ['--web', web, '--topic', topic, '--judge', bad('http://a.example/,1')],
    ['0 pages are on topic by', 'too few', '--seeds'],
  ],
])('%s: exit 2, and what to do', async (_, args, parts) => {
  await refused(2, parts, 'eval', ...args());
});

function good(): string[] {
  return ['--web', web, '--topic', topic, '--judge', labels];
}

function bad(line: string): string {
  writeFileSync(path('bad.csv'), `url,on_topic\n${line}\n`);
  return path('bad.csv');
}

test.each(['reading', 'judging', 'running'] as const)('stopped while %s, it rejects and writes nothing', async (step) => {
  const out = path(`stopped-${step}`);
  const stop = new AbortController();
  const onProgress = (at: string) => {
    if (at === step) stop.abort(new Error('stopped'));
  };
  await expect(evaluate({ web, topic, judge: `model:${other}`, out, signal: stop.signal, onProgress })).rejects.toThrow('stopped');
  expect(existsSync(out)).toBe(false);
});

wholeTest('truth and answers are contestants of their own, and the second table adds up', async () => {
  const strategies = ['apprentice', 'apprentice=truth', 'apprentice@ask12@30'];
  const { evaluation, markdown } = await evaluate({ ...common(), strategies, budget: 80, repeats: 2 });
  for (const { strategy, whereabouts, answers } of evaluation.results) {
    expect([strategy, answers]).toEqual([strategy, strategy.includes('@ask') ? 12 : 0]);
    expect(whereabouts === null).toBe(strategy === 'bound');
    if (strategy === 'apprentice=truth') expect(whereabouts?.judgedOff).toBe(0);
  }
  expect(markdown).toMatch(/\| answers \|/);
  const rows = markdown
    .slice(markdown.indexOf('## Where'))
    .split('\n')
    .filter((line) => line.startsWith('| apprentice'));
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    const [, , whole = 0, ...cells] = row.split('|').map(Number);
    expect(cells.slice(0, -1).reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(whole, 0);
  }
});

test('who knows the labels has nothing to ask', async () => {
  const options = { ...common(), guide: 'labels', strategies: ['apprentice@ask12'], budget: 80, repeats: 1 } as const;
  await expect(evaluate(options)).rejects.toThrow('--strategies apprentice@ask12: the guide cannot be trained again');
});
