import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { commandJudge, type OwnJudge, openModuleJudge } from '../../../src/crawling/openings/judge-calls.ts';
import { JudgementCache } from '../../../src/crawling/openings/judgement-cache.ts';
import { checkJudge } from '../../../src/crawling/openings/open-judge.ts';
import { type JudgeReply, PageJudge } from '../../../src/crawling/openings/page-judge.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-judge-'));
const LIMITS = { time: 20_000, start: 20_000, heap: 32 * 2 ** 20 };
/** A judge that hangs is given up after this. */
const HANGS_AFTER = 700;
let opened: PageJudge[] = [];
let warnings: string[] = [];

afterEach(async () => {
  for (const judge of opened) await judge.close();
  [opened, warnings] = [[], []];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
function fileOf(code: string, ending = 'mjs'): string {
  const file = join(dir, `${++files}.${ending}`);
  writeFileSync(file, code);
  return file;
}

interface Given {
  readonly limit?: number;
  readonly cache?: string;
  readonly sha256?: string;
}

function judgeOf(
  judge: OwnJudge,
  { limit = Number.POSITIVE_INFINITY, cache = fileOf('', 'jsonl'), sha256 = 'a'.repeat(64) }: Given = {},
): PageJudge {
  const made = new PageJudge({
    judge,
    name: 'mine',
    cache: new JudgementCache({ judgements: cache }, sha256),
    limit,
    warn: (message) => warnings.push(message),
  });
  opened.push(made);
  return made;
}

const moduleJudge = (code: string, time = LIMITS.time) => openModuleJudge(fileOf(code), { ...LIMITS, time });
const program = (code: string, time = LIMITS.time) => commandJudge(`node ${fileOf(code)}`, { time });

const ask = (judge: PageJudge, text: string): Promise<JudgeReply> =>
  judge.judge(`http://judge.example/${text}` as CanonicalUrl, { title: 't', text });

const WELL = `pages.filter(({ text }) => text.startsWith('well')).map(({ id }) => ({ id, relevance: 0.5 }))`;

/** A module judges pages whose text begins with "well", and does something else for others. */
const ofModule = (code: string) =>
  `export async function judge(pages) { if (pages.every(({ text }) => text.startsWith('well'))) return ${WELL}; ${code} }`;

/** The same as a program: `pages` are its lines. */
const ofProgram = (code: string) => `
  import { readFileSync } from 'node:fs';
  const pages = readFileSync(0, 'utf8').trim().split('\\n').map((line) => JSON.parse(line));
  for (const one of ${WELL}) console.log(JSON.stringify(one));
  if (!pages.every(({ text }) => text.startsWith('well'))) { ${code} }`;

const MODULE_FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ['throws', 'throw new TypeError("no such word")', /^judge threw: TypeError: no such word$/],
  ['hangs', 'for (;;);', /^judge hung: no answer within 700 ms$/],
  ['exits', 'process.exit(0)', /^judge ended its thread: its thread ended$/],
  ['returns no list', 'return 7', /^judge returned rubbish: not a list of judgements$/],
  ['returns nothing', 'return []', /^judge returned rubbish: no judgement of this page$/],
  ['returns NaN', 'return pages.map(({ id }) => ({ id, relevance: NaN }))', /^judge returned rubbish: relevance: /],
  ['returns 2', 'return pages.map(({ id }) => ({ id, relevance: 2 }))', /^judge returned rubbish: relevance: /],
  ['judges another page', 'return [{ id: 99, relevance: 1 }]', /^judge returned rubbish: id: 99 is not the id of a page of this call$/],
];

test.each(MODULE_FAULTS)('a module that %s is named once, and the next page is judged', async (_, code, trouble) => {
  const time = trouble.source.includes('hung') ? HANGS_AFTER : LIMITS.time;
  const judge = judgeOf(await moduleJudge(ofModule(code), time));
  for (const text of ['bad', 'worse']) expect(await ask(judge, text)).toEqual({ kind: 'trouble', trouble: expect.stringMatching(trouble) });
  expect(await ask(judge, 'well')).toEqual({ kind: 'judged', judgement: { relevance: 0.5 } });
  expect(warnings).toEqual([expect.stringContaining('at http://judge.example/bad; the page has the relevance of the topic model')]);
});

const PROGRAM_FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ['fails', 'console.error("no model"); process.exit(3)', /^judge failed: exit code 3: no model$/],
  ['hangs', 'setInterval(() => {}, 1000)', /^judge hung: it took longer than 0.7 s$/],
  ['exits without a word', 'process.exit(0)', /^judge returned rubbish: no judgement of this page$/],
  ['prints rubbish', 'console.log("{]")', /^judge returned rubbish: a line is not JSON$/],
  [
    'prints without end',
    'const { writeSync } = await import("node:fs"); for (;;) writeSync(1, "x".repeat(1e5));',
    /^judge returned rubbish: it wrote more than 1048576 bytes$/,
  ],
];

test.each(PROGRAM_FAULTS)('a program that %s is named once, and the next page is judged', async (_, code, trouble) => {
  const time = trouble.source.includes('hung') ? HANGS_AFTER : LIMITS.time;
  const judge = judgeOf(program(ofProgram(code), time));
  expect(await ask(judge, 'bad')).toEqual({ kind: 'trouble', trouble: expect.stringMatching(trouble) });
  if (!trouble.source.includes('hung')) expect(await ask(judge, 'well')).toEqual({ kind: 'judged', judgement: { relevance: 0.5 } });
  expect(warnings).toEqual([expect.stringContaining('at http://judge.example/bad')]);
});

test('a slow judge is waited for', async () => {
  const judge = judgeOf(
    await moduleJudge(`export const judge = (pages) => new Promise((resolve) => setTimeout(() => resolve(${WELL}), 200));`),
  );
  expect(await ask(judge, 'well')).toEqual({ kind: 'judged', judgement: { relevance: 0.5 } });
  expect(warnings).toEqual([]);
});

test('pages that come during a call are the next call; a page that makes a call fail costs the others nothing', async () => {
  const sizes = fileOf('', 'txt');
  const judge = judgeOf(
    await moduleJudge(`
      import { appendFileSync } from 'node:fs';
      export async function judge(pages) {
        appendFileSync(${JSON.stringify(sizes)}, pages.length + ' ');
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (pages.some(({ text }) => text === 'bad')) throw new Error('bad');
        return ${WELL.replace("text.startsWith('well')", 'true')};
      }`),
  );
  const texts = ['well', 'bad', ...Array.from({ length: 9 }, (_, i) => `well ${i}`)];
  const replies = await Promise.all(texts.map((text) => ask(judge, text)));
  expect(replies.map(({ kind }) => kind)).toEqual(['judged', 'trouble', ...Array.from({ length: 9 }, () => 'judged')]);
  expect(readFileSync(sizes, 'utf8')).toBe('1 8 1 1 1 1 1 1 1 1 2 ');
});

test('a text is asked about once: at the same time, later, and after a restart; another judge is asked again', async () => {
  const [cache, log] = [fileOf('', 'jsonl'), fileOf('', 'txt')];
  const code = `
    import { appendFileSync } from 'node:fs';
    export const judge = (pages) => pages.map(({ id, text }) => {
      appendFileSync(${JSON.stringify(log)}, text + '\\n');
      return { id, relevance: 0.25, because: 'two\\n lines' };
    });`;
  const judged = { kind: 'judged', judgement: { relevance: 0.25, because: 'two lines' } };
  const first = judgeOf(await moduleJudge(code), { cache });
  expect(await Promise.all([ask(first, 'a'), ask(first, 'a')])).toEqual([judged, judged]);
  expect(await ask(first, 'a')).toEqual(judged);
  // Not closed: as after kill -9.
  const second = judgeOf(await moduleJudge(code), { cache });
  expect([await ask(second, 'a'), await ask(second, 'b')]).toEqual([judged, judged]);
  expect(readFileSync(log, 'utf8')).toBe('a\nb\n');
  const other = judgeOf(await moduleJudge(code), { cache, sha256: 'b'.repeat(64) });
  expect(await ask(other, 'a')).toEqual(judged);
  expect(readFileSync(log, 'utf8')).toBe('a\nb\na\n');
});

test('a judgement that is damaged on the disk is named with its line', async () => {
  const cache = fileOf('', 'jsonl');
  const judge = judgeOf(await moduleJudge(ofModule('')), { cache });
  await ask(judge, 'well');
  writeFileSync(cache, readFileSync(cache, 'utf8').replace('0.5', '0.6'));
  expect(() => new JudgementCache({ judgements: cache }, 'a'.repeat(64))).toThrow(
    `${cache}:1: is not a stored judgement (its checksum is wrong); delete the line, and the judge is asked again`,
  );
});

test('the limit counts the texts of earlier runs, and is told once', async () => {
  const cache = fileOf('', 'jsonl');
  const first = judgeOf(await moduleJudge(ofModule('')), { cache, limit: 2 });
  await ask(first, 'well 1');
  const second = judgeOf(await moduleJudge(ofModule('')), { cache, limit: 2 });
  const kinds: string[] = [];
  for (const text of ['well 1', 'well 2', 'well 3', 'well 4']) kinds.push((await ask(second, text)).kind);
  expect(kinds).toEqual(['judged', 'judged', 'unasked', 'unasked']);
  expect(warnings).toEqual([expect.stringContaining('judged 2 texts, which is --judge-limit')]);
});

test('a judge that fails ten times in a row, or hangs three times, is not asked any more', async () => {
  const throwing = judgeOf(await moduleJudge(ofModule('throw new Error("no")')));
  const replies: JudgeReply[] = [];
  for (let page = 0; page < 11; page++) replies.push(await ask(throwing, `${page}`));
  expect(replies.at(-2)).toEqual({ kind: 'trouble', trouble: 'judge threw: Error: no' });
  expect(replies.at(-1)).toEqual({ kind: 'trouble', trouble: 'judge not asked: it judged none of 10 pages in a row' });
  expect(warnings.filter((warning) => warning.includes('is not asked again in this run'))).toHaveLength(1);
  const hanging = judgeOf(await moduleJudge(ofModule('for (;;);'), HANGS_AFTER));
  for (let page = 0; page < 3; page++) await ask(hanging, `${page}`);
  expect(await ask(hanging, 'well')).toEqual({ kind: 'trouble', trouble: 'judge not asked: it hung 3 times in a row' });
});

test('a module that cannot be loaded, or has no judge, is refused before the crawl', async () => {
  await expect(checkJudge(fileOf('export const judge = ('))).rejects.toThrow(
    /cannot be loaded as a judge \(SyntaxError: .*; mend it, or give --judge-by none/,
  );
  await expect(checkJudge(fileOf('export const judge = 7;'))).rejects.toThrow('exports no judge; export a function named judge');
});
