import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, type LedgerLine, train } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, type Ended, forager, foragerWith, jsonLines, refused, start } from './forager.ts';
import { type CrawlToLabel, carelessAnswers, crawlToLabel } from './labelled-crawl.ts';
import { smallWeb } from './small-web.ts';

/** Topics the crawl was not made for: with labels for these, pages change sides. */
const OTHERS = new Set<string | null>(['topic-2', 'topic-3']);
const small = smallWeb();
let made: CrawlToLabel;

beforeAll(async () => {
  made = await crawlToLabel(small, 60);
});
afterAll(() => small.close());

function copy(name: string): string {
  const dir = small.path(`copy-${name}`);
  cpSync(made.dir, dir, { recursive: true });
  return dir;
}

interface Line {
  readonly url?: string;
  readonly answer?: string;
  readonly queue?: string;
  readonly undo?: number;
  readonly known?: boolean;
}

/** What was answered: lines of the label file, but for its head and for draws of pages that were labelled already. */
function stored(dir: string): Line[] {
  const path = join(dir, 'labels.jsonl');
  const lines = existsSync(path) ? jsonLines<Line>(readFileSync(path, 'utf8')).slice(1) : [];
  return lines.filter(({ known }) => known !== true);
}

async function answered(input: string, ...args: string[]): Promise<Ended> {
  const ended = await foragerWith(input, 'label', ...args);
  expect({ code: ended.code, stderr: ended.code === 0 ? '' : ended.stderr }).toEqual({ code: 0, stderr: '' });
  return ended;
}

/** URLs shown, in order. */
function shown(screen: string): string[] {
  return [...screen.matchAll(/^http:\S+$/gm)].map(([url]) => url);
}

wholeTest('names, labels to a file and back, agreement, and a whole host', async () => {
  const [dir, other] = [copy('anna'), copy('ben')];
  await answered('y\nn\nq\n', dir, '--no-retrain', '--name', 'anna');
  const file = small.path('labels.csv');
  await done('label', 'export', dir, file);
  await refused(2, ['already exists'], 'label', 'export', dir, file);
  await refused(2, ['unknown option --retrain'], 'label', 'export', dir, file, '--retrain');
  await refused(2, ['--name a/b', 'is not a name'], 'label', dir, '--name', 'a/b');
  await answered('', 'import', other, file, '--no-retrain');
  const again = small.path('again.csv');
  await done('label', 'export', other, again);
  // Each answer keeps its page, its label and its name; queue and time are those of the import.
  const facts = (path: string) => readFileSync(path, 'utf8').replace(/,(queue|random|uncertain|new-host|import),.*,/g, ',');
  expect(facts(again)).toBe(facts(file));
  expect(facts(again).match(/,anna,[yn]$/gm)).toHaveLength(2);
  const unnamed = small.path('unnamed.csv');
  writeFileSync(unnamed, facts(file).replaceAll(',anna,', ','));
  const { stdout } = await answered('', 'import', other, unnamed, '--no-retrain', '--name', 'ben');
  expect(stdout).toContain("anna and ben: 2 pages that both answered, 2 equally; Cohen's kappa 1.00");
  const [first = ''] = stored(dir).map(({ url }) => url);
  const { hostname } = new URL(first);
  await refused(2, ['unknown option --count'], 'label', 'none-of', other, hostname, '--count', '3');
  const json = await answered('', 'none-of', other, hostname, '--no-retrain', '--json');
  const outcome = JSON.parse(json.stdout) as { noneOf: number; agreements: { pages: number }[]; labels: { no: number } };
  expect(outcome).toMatchObject({ agreements: [{ pages: 2 }], labels: { no: outcome.noneOf + 1 } });
  expect(stored(other).filter(({ queue, answer }) => queue === 'place' && answer === 'n')).toHaveLength(outcome.noneOf);
  expect(outcome.noneOf).toBeGreaterThan(0);
});

test('--new-hosts asks one kind of question alone', async () => {
  const dir = copy('new-hosts');
  const { stdout } = await answered('y\nn\nn\nn\nq\n', dir, '--new-hosts', '--no-retrain');
  expect(stdout.match(/^asked because: the best unanswered page/gm)).toHaveLength(5);
  await refused(2, ['unknown option --new-hosts'], 'label', 'audit', dir, '--new-hosts');
});

test('answers from a pipe: each page with title, passage, relevance and reasons; each answer stored', async () => {
  const dir = copy('pipe');
  const { stdout } = await answered('y\nn\ns\nn\nn\nn\nq\n', dir, '--no-retrain');
  expect(stdout).toMatch(/^── page 1 \(so far 0 yes, 0 no\) ─+$/m);
  expect(stdout).toMatch(/^── page 4 \(so far 1 yes, 1 no, 1 skipped\) ─+$/m);
  expect(stdout).toMatch(/^relevance 0\.\d{3}, threshold 0\.\d{3}: (on|off) topic by the model; (in|not in) the corpus$/m);
  expect(stdout).toMatch(/^for: {5}\S+ \+\d\.\d\d, /m);
  expect(stdout).toMatch(/^against: \S+ -\d\.\d\d/m);
  for (const why of ['the model is unsure', 'the best unanswered page', 'drawn at random'])
    expect(stdout).toContain(`asked because: ${why}`);
  expect(stdout).toContain('On topic? y yes, n no, s skip, u undo, q quit: y\n');
  expect(stdout).toContain('6 answers; the crawl has 1 yes, 4 no, 1 skipped');
  expect(stdout).not.toContain('\x1b');
  const pages = stdout.slice(0, stdout.indexOf('6 answers;'));
  for (const line of pages.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const lines = stored(dir);
  expect(lines.map(({ url }) => url)).toEqual(shown(stdout).slice(0, 6));
  expect(lines.map(({ answer }) => answer)).toEqual(['y', 'n', 'skip', 'n', 'n', 'n']);
  expect(lines.slice(0, 2).map(({ queue }) => queue)).toEqual(['uncertain', 'new-host']);
});

test('undo asks again; what is no answer is told of; the end of the input ends the session', async () => {
  const dir = copy('undo');
  const { stdout, stderr } = await answered('u\ny\nu\nmaybe\nn\n', dir, '--no-retrain');
  const [first, , second] = shown(stdout);
  expect(first).not.toBe(second);
  expect(shown(stdout)).toEqual([first, first, second, first, second]);
  expect(stdout).toContain('There is no answer to take back.');
  expect(stderr).toContain('"maybe" is not an answer: y yes, n no, s skip, u undo, q quit');
  expect(stored(dir).map(({ answer, undo }) => answer ?? undo)).toEqual(['y', 1, 'n']);
});

test('--count asks about so many pages; the next session goes on', async () => {
  const dir = copy('count');
  const yes = 'y\n'.repeat(20);
  const first = await answered(yes, dir, '--no-retrain', '--count', '2');
  expect(shown(first.stdout).length).toBe(2);
  const second = await answered(yes, dir, '--no-retrain', '--count', '3');
  expect(new Set([...shown(first.stdout), ...shown(second.stdout)]).size).toBe(5);
  expect(stored(dir).length).toBe(5);
});

test('audit asks about kept pages drawn at random alone, trains nothing, and says what a margin takes', async () => {
  const dir = copy('audit');
  const { stdout } = await answered('y\nn\nu\ny\ny\ny\ny\ny\n', 'audit', dir, '--count', '6');
  expect(stdout.match(/asked because: drawn at random/g)).toHaveLength(8);
  expect(stdout.match(/; in the corpus$/gm)).toHaveLength(8);
  expect(stdout).not.toContain('train');
  expect(stdout).toMatch(
    /^precision of the pages the crawl kept: 100\.0 % \(95 % interval .*measured by 6 answers to pages drawn at random/m,
  );
  const more = /^for a margin of ±10 points: .*label audit .* --count (\d+)$/m.exec(stdout)?.[1] ?? '';
  const { stdout: rest } = await answered('y\n'.repeat(Number(more)), 'audit', dir, '--count', more);
  expect(rest).toMatch(/^the margin is at most ±10 points$/m);
  expect(existsSync(join(dir, 'models'))).toBe(false);
});

wholeTest('killed outright after an answer: it is there, and the same page is asked about again', async () => {
  const dir = copy('killed');
  const seen = async (answers: number) => {
    const session = start(['label', dir, '--json'], null);
    for (let i = 0; i < answers; i++) {
      await session.says(`── page ${i + 1} `);
      session.child.stdin?.write('y\n');
    }
    await session.says(`── page ${answers + 1} `);
    session.child.kill('SIGKILL');
    const { code, stderr } = await session.ended;
    expect(code).toBeNull();
    return shown(stderr);
  };
  const first = await seen(2);
  expect(stored(dir).map(({ url }) => url)).toEqual(first.slice(0, 2));
  const second = await seen(1);
  expect(second[0]).toBe(first[2]);
  expect(stored(dir).map(({ url }) => url)).toEqual([...first.slice(0, 2), second[0]]);
  // Cut in the middle of a line, as by a crash while it was written.
  const path = join(dir, 'labels.jsonl');
  writeFileSync(path, readFileSync(path).subarray(0, -9));
  // The note of the written lines follows a line.
  rmSync(join(dir, 'labels-known.json'));
  const third = await answered('q\n', dir, '--no-retrain');
  expect(shown(third.stdout)).toEqual([second[0]]);
  expect(third.stderr).toContain('the last line broke off and is dropped');
});

test.each(sample(['SIGINT', 'SIGTERM'] as const, [0]))(
  '%s ends the session at once with what was answered, and exit code 130',
  async (signal) => {
    const dir = copy(`interrupted-${signal}`);
    const session = start(['label', dir, '--json'], null);
    await session.says('── page 1 ');
    session.child.stdin?.write('y\n');
    await session.says('── page 2 ');
    session.child.kill(signal);
    const { code, stderr, stdout } = await session.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Ending: the answers given are stored.');
    expect(JSON.parse(stdout)).toMatchObject({ answered: 1, relabelled: null });
    expect(stored(dir).length).toBe(1);
  },
);

test('a model that does not hold what it was trained on: answers are stored, and that is said before the first page', async () => {
  const dir = copy('untrainable');
  rmSync(join(dir, 'model', 'training.bin.gz'));
  const { stdout, stderr } = await answered('y\nn\n', dir, '--count', '2');
  expect(stderr).toContain('so answers are only stored');
  expect(stdout).toContain('2 answers; the crawl has 1 yes, 1 no');
  expect(stdout).toContain('not trained again: the model has no training data');
  expect(stored(dir).length).toBe(2);
  await refused(2, ['does not hold the pages it was trained on'], 'label', 'train', dir);
});

wholeTest('a topic of keywords stays as it is below 3 answers y and 3 n: answers are stored, and what is missing is said', async () => {
  const topic = small.path('keywords');
  await train({ examples: [], keywords: 'practice', out: topic });
  const dir = small.path('of-keywords');
  await crawl({ dir, topic, seeds: small.seeds, proxy: made.served.proxy, delay: 0, maxPages: 20, concurrency: 1 });
  const { stdout } = await answered('y\nn\nn\nn\nn\n', dir, '--every', '1');
  expect(stdout).toContain('5 answers; the crawl has 1 yes, 4 no');
  expect(stdout).toContain('not trained again: the answers are stored, and 2 more y are needed; until then the model stays as it is');
  expect(await done('status', dir)).not.toContain('labelled:');
  const { code, stderr } = await forager('label', 'train', dir);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('answer 2 more y') });
  const more = await answered('y\ny\ny\n', dir, '--every', '1', '--count', '3', '--json');
  expect(jsonLines<object>(more.stdout)).toMatchObject([{ relabelled: { yes: 4, no: 4 }, notTrained: null }]);
  await done('harvest', dir, '--out', small.path('of-keywords-corpus'), '--min-relevance', '0');
  const card = readFileSync(small.path('of-keywords-corpus', 'corpus-card.md'), 'utf8');
  expect(card).toContain('query of the topic at the start: practice');
  expect(card).toMatch(
    /labels: 4 on topic, 4 off topic; precision: not measured \([1-4] answers? to kept pages drawn at random; needed: 5\)/,
  );
});

wholeTest('fewer than 5 answers put no model in force; one that turns the crawl around is warned of, and taken back', async () => {
  const dir = copy('upheaval');
  const first = await answered('n\nn\nn\nn\n', dir, '--json');
  const [four] = jsonLines<{ notTrained: string }>(first.stdout);
  expect(four).toMatchObject({ relabelled: null, notTrained: expect.stringContaining('1 more y or n are needed') });
  const judged = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'kept'));
  writeFileSync(small.path('against.csv'), judged.map(({ url }) => `${url},n\n`).join(''));
  const turned = await answered('', 'import', dir, small.path('against.csv'));
  expect(turned.stderr).toMatch(/warning: pages on topic: \d+ before, \d+ now; look at some/);
  expect(turned.stderr).toContain(`forager label undo ${dir}`);
  const { stderr: empty, code: emptyCode } = await forager('harvest', dir, '--out', small.path('empty-corpus'));
  expect(emptyCode).toBe(1);
  expect(empty).toMatch(
    /the corpus has no page: the \d+ of the crawl are all below the threshold of the active model, trained with labels/,
  );
  const undone = await answered('', 'undo', dir);
  expect(undone.stdout).toMatch(/^model [0-9a-f]{16} is active again and replaces [0-9a-f]{16}/m);
  expect(undone.stdout).toContain('the answers stay stored');
  const status = await done('status', dir);
  expect(status).toMatch(/^labelled: the last training was undone/m);
  const ended = await answered('q\n', dir);
  expect(ended.stdout).toContain('not trained again: the last training was undone, and there are no answers since');
  const { code, stderr } = await forager('label', 'undo', dir);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("the crawl's first one") });
  await refused(2, ['unknown option --retrain'], 'label', 'undo', dir, '--retrain');
});

test('a crawl that read no page: nothing to ask about', async () => {
  const dir = small.path('of-nothing');
  const seeds = [new URL('/nothing', small.seeds[0]).href];
  await crawl({ dir, topic: made.topic, seeds, proxy: made.served.proxy, delay: 0, maxPages: 1, concurrency: 1 });
  const { stdout } = await answered('y\n', dir);
  expect(stdout).toContain('No page is left to ask about');
  expect(stdout).toContain('not trained again: no page is labelled y or n');
  expect(stored(dir)).toEqual([]);
});

test('labels of a file: stored, trained with, and the crawl judged anew', async () => {
  const dir = copy('file');
  const judged = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'kept,off-topic'));
  const csv = judged.filter((_, i) => i % 2 === 0).map(({ url }) => `${url},${OTHERS.has(small.web.topicOf(url)) ? 'y' : 'n'}\n`);
  writeFileSync(small.path('labels.csv'), `url,label\n${csv.join('')}http://elsewhere.example/,y\n`);
  const { stdout, stderr } = await answered('', 'import', dir, small.path('labels.csv'), '--json');
  expect(stderr).toContain(
    '1 URL of the file is not among the pages that this crawl has read; its label is not stored: http://elsewhere.example/',
  );
  const [report] = jsonLines<{ labels: { yes: number; no: number } }>(stdout);
  const yes = csv.filter((line) => line.endsWith(',y\n')).length;
  const labels = { yes, no: csv.length - yes };
  expect(report).toMatchObject({ dir, answered: 0, imported: { stored: csv.length }, labels: { ...labels, skipped: 0 } });
  const share = expect.any(Number);
  expect(report).toMatchObject({
    estimate: { kept: { share: null }, judged: null },
    relabelled: {
      ...labels,
      effect: { before: share, after: share, change: { low: share, high: share } },
      changes: { nowOnTopic: share, waiting: share },
    },
  });
  expect(stdout).not.toContain('"card"');
  const status = await done('status', dir);
  expect(status).toMatch(/^labelled: \d+ labels trained this model, which replaced [0-9a-f]{16} at /m);
  const { counts, keptOffTopic } = JSON.parse(await done('status', dir, '--json')) as { counts: { kept: number }; keptOffTopic: number };
  expect(status).toContain(
    `kept ${counts.kept} by the model at the time, ${counts.kept - keptOffTopic} of them on topic by the active model; harvest rate`,
  );
  expect(status).toContain('kept counts all pages in the corpus');
  const twice = await answered('', 'import', dir, small.path('labels.csv'));
  expect(twice.stdout).toContain(`0 labels of ${small.path('labels.csv')} stored; ${csv.length} were stored already`);
  const again = await answered('', 'train', dir);
  expect(again.stdout).toContain('not trained again: the active model was already trained with all labels');
});

wholeTest(
  'a worse model is not put in force: the screen and status say so with the command that does it, and that command does',
  async () => {
    const dir = copy('worse');
    writeFileSync(small.path('careless.csv'), await carelessAnswers(dir, (url) => small.web.topicOf(url) === small.topic));
    const before = JSON.parse(await done('status', dir, '--json')) as { topic: { id: string } };
    const { stdout } = await answered('', 'import', dir, small.path('careless.csv'));
    expect(stdout).toContain(`not activated, since it is worse on held-out labels; ${before.topic.id} stays active`);
    const told = /the new model is kept in (\S+); to activate it anyway: npx forager (label train \S+ --even-if-worse)/.exec(stdout);
    const [, folder = '', command = ''] = told ?? [];
    expect(existsSync(join(folder, 'model.json'))).toBe(true);
    expect(await done('status', dir)).toContain(
      `not activated, since the new model is worse on held-out labels: the new model is kept in ${folder}`,
    );
    expect((await answered('q\n', dir)).stdout).toContain('not trained again: the last trained model is kept beside as worse');
    expect(await done(...command.split(' '))).toContain(`replaces ${before.topic.id}`);
    expect(await done('status', dir)).not.toContain('not activated');
    await refused(2, ['--even-if-worse', 'training again'], 'label', dir, '--even-if-worse', '--no-retrain');
  },
);

test('what cannot be is refused in one line', async () => {
  await refused(2, [small.path('nothing'), 'no crawl is here'], 'label', small.path('nothing'));
  const dir = copy('refused');
  await refused(2, ['--retrain, --no-retrain', 'give one'], 'label', dir, '--retrain', '--no-retrain');
  await refused(2, ['--count 0', 'whole number'], 'label', dir, '--count', '0');
  await refused(2, ['unknown option --retrain'], 'label', 'audit', dir, '--count', '3', '--retrain');
  await refused(2, [small.path('no.csv'), 'no such file'], 'label', 'import', dir, small.path('no.csv'));
  writeFileSync(small.path('bad.csv'), `${small.seeds[0]},perhaps\n`);
  await refused(2, [`${small.path('bad.csv')}:1`, '"perhaps" is not a label'], 'label', 'import', dir, small.path('bad.csv'));
  writeFileSync(join(dir, 'labels.jsonl'), 'my thesis\n');
  await refused(3, [`${join(dir, 'labels.jsonl')}:1`, 'is not a line of a label file'], 'label', dir);
  rmSync(join(dir, 'labels.jsonl'));
  writeFileSync(join(dir, 'model', 'weights.bin'), 'short');
  await refused(3, [join(dir, 'model', 'weights.bin'), 'copy'], 'label', dir);
});

test('a damaged file of what a model was trained on is found before the first question, and before a crawl; the remedy works', async () => {
  const dir = copy('damaged-training');
  const path = join(dir, 'model', 'training.bin.gz');
  writeFileSync(path, readFileSync(path).subarray(0, -20));
  await refused(3, [path, 'is damaged', `or delete ${path}`], 'label', dir);
  rmSync(path);
  expect((await answered('y\n', dir)).stderr).toContain(`copy training.bin.gz from the model's own folder into ${dir}/model`);
  cpSync(join(made.topic, 'training.bin.gz'), path);
  expect((await answered('q\n', dir)).stderr).toBe('');
  const topic = small.path('damaged-topic');
  cpSync(made.topic, topic, { recursive: true });
  writeFileSync(join(topic, 'training.bin.gz'), 'no gzip');
  await refused(
    2,
    [join(topic, 'training.bin.gz'), 'train the topic again'],
    'crawl',
    small.path('never'),
    '--topic',
    topic,
    '--seeds',
    'http://a.example/',
  );
  expect(existsSync(small.path('never'))).toBe(false);
});

test('a crawl whose model is of another version: what to do is what can be done', async () => {
  const dir = copy('other-version');
  const path = join(dir, 'model', 'model.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": \d+/, '"version": 1'));
  await refused(
    2,
    [path, 'of format version 1', 'use the version that started the crawl (forager/', 'train the topic again'],
    'label',
    dir,
  );
});

test('the help names the keys and has examples', async () => {
  const help = await done('label', '--help');
  expect(help).toContain('y, n, s(kip), u(ndo) or q(uit)');
  expect(help).toContain('label import <dir> <file>');
});
