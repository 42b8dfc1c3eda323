/** `train --check-site`: answers to random pages of the examples' sites correct the model, and none of them is lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgePages } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused, start } from './forager.ts';
import { type Served, smallWeb } from './small-web.ts';

const PROMPT = 'q quit: ';
const small = smallWeb();
const { path } = small;
/** The examples are on two of its hosts. */
const pages = small.web.urls();
const onTopic = (url: string) => small.web.isOnTopic(url, small.topic);
const hosts = [...new Set(pages.filter(onTopic).map((url) => new URL(url).host))].slice(0, 2);
const examples = pages.filter((url) => onTopic(url) && hosts.includes(new URL(url).host)).slice(0, 10);
let served: Served;

beforeAll(async () => {
  served = await small.serve();
  writeFileSync(path('good.txt'), examples.join('\n'));
});
afterAll(() => small.close());

/** They take longer than the rest of a training. */
const NO_VECTORS = ['--word-vectors', 'none'] as const;

function train(out: string, ...more: string[]): string[] {
  return ['train', path('good.txt'), '--out', out, '--check-site', '--proxy', served.proxy, '--delay', '0', ...NO_VECTORS, ...more];
}

/** Answers each question by the truth; ends the input after so many. @returns the exit code and standard output */
async function answering(args: readonly string[], most = Number.POSITIVE_INFINITY, stream: 'stdout' | 'stderr' = 'stdout') {
  const { child, ended } = start(args, null);
  let [screen, answers] = ['', 0];
  child[stream]?.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (!screen.endsWith(PROMPT)) return;
    const asked = [...screen.matchAll(/^http\S+$/gm)].at(-1)?.[0] ?? '';
    if (answers++ < most) child.stdin?.write(onTopic(asked) ? 'y\n' : 'n\n');
    else child.stdin?.end();
  });
  return ended;
}

interface Entry {
  readonly url?: string;
  readonly answer?: string;
  /** A page that was answered before was drawn again. */
  readonly known?: boolean;
}

function answersOf(out: string): Entry[] {
  return jsonLines<Entry>(readFileSync(join(`${out}.check`, 'labels.jsonl'), 'utf8')).filter(
    ({ answer, known }) => answer !== undefined && known !== true,
  );
}

function idOf(out: string): string {
  return JSON.parse(readFileSync(join(out, 'card.json'), 'utf8')).modelId;
}

async function rightOf(model: string): Promise<number> {
  writeFileSync(path('judged.txt'), pages.filter((url) => hosts.includes(new URL(url).host)).join('\n'));
  let right = 0;
  for await (const judged of judgePages(model, path('judged.txt'), { fetch: { proxy: served.proxy, delay: 0 } }))
    if (judged.onTopic === onTopic(judged.id)) right += 1;
  return right;
}

wholeTest('forty random pages of the sites are asked about, and the model of the answers takes the place of the first', async () => {
  const out = path('checked');
  const { code, stdout, stderr } = await answering(train(out));
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const answers = answersOf(out);
  expect(answers.length).toBeGreaterThan(30);
  expect(answers.length).toBeLessThanOrEqual(40);
  expect(new Set(answers.map(({ url }) => new URL(url ?? '').host))).toEqual(new Set(hosts));
  const [, first = ''] = /model ([0-9a-f]{16}), training method/.exec(stdout) ?? [];
  expect(idOf(out)).not.toBe(first);
  expect(stdout).toContain(`replaces ${first}`);
  expect(JSON.parse(readFileSync(join(out, 'card.json'), 'utf8')).counts.irrelevant).toBeGreaterThan(5);
  await done('train', path('good.txt'), '--out', path('plain'), '--proxy', served.proxy, '--delay', '0', ...NO_VECTORS);
  expect(await rightOf(out)).toBeGreaterThanOrEqual(await rightOf(path('plain')));
  // The model is an ordinary one, and a second run finds nothing left to do.
  expect((await answering(train(out))).stdout).toContain('No page is left to ask about');
  expect(answersOf(out)).toEqual(answers);
});

wholeTest('a session that ends early keeps its answers, and the same command goes on after them', async () => {
  const out = path('early');
  const first = await answering(train(out, '--json'), 3, 'stderr');
  expect(first.code).toBe(0);
  expect(jsonLines<{ modelId: string }>(first.stdout)).toHaveLength(1);
  const before = answersOf(out);
  expect(before).toHaveLength(3);
  const asked = served.pages.length;
  const second = await answering(train(out, '--json'), 7, 'stderr');
  expect(second.code).toBe(0);
  expect(answersOf(out).slice(0, 3)).toEqual(before);
  expect(answersOf(out)).toHaveLength(10);
  // The pages are stored, and the training of the model is not repeated.
  expect(served.pages.length).toBe(asked);
  expect(jsonLines<{ modelId: string }>(second.stdout)[0]?.modelId).toBe(idOf(out));
});

wholeTest('a killed session loses no answer', async () => {
  const out = path('killed');
  const { child, ended } = start(train(out), null);
  let screen = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (!screen.endsWith(PROMPT)) return;
    if (screen.split(PROMPT).length < 6) child.stdin?.write('n\n');
    else child.kill('SIGKILL');
  });
  await ended;
  expect(answersOf(out)).toHaveLength(4);
  const again = await answering(train(out), 6);
  expect(again.code).toBe(0);
  expect(answersOf(out)).toHaveLength(10);
});

test('examples without URLs and keywords are refused, and the model stays', async () => {
  const out = path('no-url');
  const ended = await forager('train', small.examples, '--out', out, '--check-site', ...NO_VECTORS);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('no example has a URL');
  expect(idOf(out)).toMatch(/^[0-9a-f]{16}$/);
  await refused(2, ['names no site'], 'train', '--keywords', 'moss', '--out', path('words'), '--check-site');
});

wholeTest('a check of another model is refused', async () => {
  const early = path('checked');
  rmSync(early, { recursive: true });
  await done('train', small.examples, '--out', early, ...NO_VECTORS);
  await refused(2, [`${early}.check: checks another model`], ...train(early));
});

wholeTest('sites that refuse every page by robots.txt leave the model, and the code says that there was no page', async () => {
  const closed = await small.serve({ robots: new Map(hosts.map((host) => [host, 'User-agent: *\nDisallow: /\n'])) });
  const out = path('closed');
  await done('train', path('good.txt'), '--out', out, '--proxy', served.proxy, '--delay', '0', ...NO_VECTORS);
  const ended = await forager('train', '--out', out, '--check-site', '--proxy', closed.proxy, '--delay', '0');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('no page of its sites could be read');
  expect(ended.stderr).toContain('robots');
  expect(closed.pages).toEqual([]);
  expect(idOf(out)).toMatch(/^[0-9a-f]{16}$/);
});
