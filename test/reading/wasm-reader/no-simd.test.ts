/** Engines without vectors for WebAssembly take the second build: its texts, and the course of a whole crawl, are those of the first. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { done, type Ended, jsonLines, MAIN, startScript } from '../../faces/cli/forager.ts';
import { smallWeb, trainedOn } from '../../faces/cli/small-web.ts';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

/** V8 then has no vectors for WebAssembly, in all threads. */
const WITHOUT_SIMD = ['--no-enable-sse4-1', '--no-enable-ssse3'];
const GOLDEN = new URL('../../golden/', import.meta.url);
const BUILDS = ['wasm-reader', 'wasm-reader-scalar'].map((name) => fileURLToPath(new URL(`../../../dist/${name}.wasm`, import.meta.url)));

/** Which of the builds an engine with these flags takes. */
function valid(flags: readonly string[]): unknown {
  const script = `console.log(JSON.stringify(process.argv.slice(1).map((path) => WebAssembly.validate(fs.readFileSync(path)))))`;
  return JSON.parse(spawnSync(process.execPath, [...flags, '-e', script, ...BUILDS], { encoding: 'utf8' }).stdout);
}

const [always, without] = [valid([]), valid(WITHOUT_SIMD)];
/** Only x86 has these flags. */
const canDoWithout = JSON.stringify(without) === '[false,true]';

const small = smallWeb(80);
afterAll(() => small.close());

async function run(flags: readonly string[], ...args: readonly string[]): Promise<Ended> {
  const [script, ...rest] = [...flags, MAIN, ...args];
  const ended = await startScript(script ?? MAIN, rest).ended;
  expect({ ...ended, stdout: '' }).toMatchObject({ code: 0 });
  return ended;
}

test('both builds are valid where there are vectors', () => expect(always).toEqual([true, true]));

test.runIf(canDoWithout)('golden pages: the same records, Markdown and explanations', async () => {
  const files = readdirSync(GOLDEN).flatMap((name) => (name.endsWith('.html') ? [fileURLToPath(new URL(name, GOLDEN))] : []));
  for (const format of sample([['jsonl'], ['markdown', '--links'], ['jsonl', '--explain']], [2])) {
    const args = ['extract', ...files, '--format', ...format];
    const [fast, scalar] = await Promise.all([run([], ...args), run(WITHOUT_SIMD, ...args)]);
    expect(scalar.stdout).toBe(fast.stdout);
    expect(fast.stdout.length).toBeGreaterThan(1000);
  }
});

/** All that two crawls of one web have in common, one request at a time: each URL with its place, priority and relevance; and the text of each page. */
async function outcomeOf(dir: string): Promise<unknown> {
  const ledger = jsonLines<Record<string, unknown>>(await done('ledger', dir));
  const harvested = `${dir}-corpus`;
  await done('harvest', dir, '--out', harvested, '--format', 'jsonl,text');
  const records = jsonLines<Record<string, unknown>>(readFileSync(`${harvested}/corpus.jsonl`, 'utf8'));
  return {
    ledger: ledger.map(({ url, order, priority, state, reason, relevance }) => ({ url, order, priority, state, reason, relevance })),
    records: records.map(({ url, title, text, otherText, relevance, lang, links }) => ({
      url,
      title,
      text,
      otherText,
      relevance,
      lang,
      links,
    })),
  };
}

wholeTest('a whole crawl: the same visits in the same order, the same scores, the same corpus', async ({ skip }) => {
  skip(!canDoWithout, 'only x86 has these flags');
  const topic = await trainedOn(small);
  const { proxy } = await small.serve();
  const crawl = async (name: string, flags: readonly string[]) => {
    const dir = small.path(name);
    const limits = ['--delay', '0ms', '--concurrency', '1', '--max-pages', '60'];
    await run(flags, 'crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--proxy', proxy, ...limits);
    return outcomeOf(dir);
  };
  const [fast, scalar] = await Promise.all([crawl('fast', []), crawl('scalar', WITHOUT_SIMD)]);
  expect(scalar).toEqual(fast);
  expect(fast).toMatchObject({ records: expect.arrayContaining([expect.objectContaining({ lang: 'en' })]) });
});
