import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { checkHooks, type HookReply, Hooks } from '../../../src/crawling/openings/hooks.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-hooks-'));
const URL_OF_PAGE = 'http://hooks.example/a' as CanonicalUrl;
/** A hook that hangs is given up after this. */
const HANGS_AFTER = 700;
const LIMITS = { time: 20_000, start: 20_000, heap: 32 * 2 ** 20 };
let opened: Hooks[] = [];
let warnings: string[] = [];

afterEach(async () => {
  for (const hooks of opened) await hooks.close();
  [opened, warnings] = [[], []];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let modules = 0;
function moduleOf(code: string): string {
  const file = join(dir, `${++modules}.mjs`);
  writeFileSync(file, code);
  return file;
}

async function hooksOf(code: string, time = LIMITS.time): Promise<Hooks> {
  const hooks = await Hooks.open({
    file: moduleOf(code),
    strict: false,
    warn: (message) => warnings.push(message),
    limits: { ...LIMITS, time },
  });
  opened.push(hooks);
  return hooks;
}

const linksOf = (hooks: Hooks, url = URL_OF_PAGE): Promise<HookReply<'onLinks'>> => hooks.ask('onLinks', url, { url, links: [] });

test('calls one after another, in their order, with what the thread can hold between them', async () => {
  const hooks = await hooksOf(`
    let calls = 0;
    export async function onLinks({ url }) {
      const call = ++calls;
      if (call === 1) await new Promise((resolve) => setTimeout(resolve, 50));
      return [{ url: url + '?' + call }];
    }`);
  const replies = await Promise.all([linksOf(hooks), linksOf(hooks), linksOf(hooks)]);
  expect(replies).toEqual([1, 2, 3].map((call) => ({ kind: 'value', value: [{ url: `${URL_OF_PAGE}?${call}` }] })));
});

test('a hook that the module does not have, or that returns nothing, changes nothing', async () => {
  const hooks = await hooksOf('export function onLinks() {}');
  expect([hooks.has('onLinks'), hooks.has('beforeFetch')]).toEqual([true, false]);
  expect(await linksOf(hooks)).toEqual({ kind: 'value', value: null });
  expect(await hooks.ask('beforeFetch', URL_OF_PAGE, { url: URL_OF_PAGE, depth: 0, referrer: null })).toEqual({
    kind: 'value',
    value: null,
  });
});

const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ['throws', 'throw new TypeError("no such word")', /^onLinks threw: TypeError: no such word$/],
  ['throws what is no error', 'throw "words"', /^onLinks threw: words$/],
  ['hangs', 'for (;;);', /^onLinks hung: no answer within 700 ms$/],
  ['never answers', 'return new Promise(() => {})', /^onLinks hung: no answer within 700 ms$/],
  ['exits', 'process.exit(0)', /^onLinks ended its thread: its thread ended$/],
  [
    'ends its thread later',
    'setTimeout(() => { throw new Error("late") }); return new Promise(() => {})',
    /^onLinks ended its thread: Error: late$/,
  ],
  ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))', /^onLinks ended its thread: .*memory/],
  ['returns a function', 'return [() => 1]', /^onLinks returned rubbish: DataCloneError: /],
  ['returns a number', 'return 7', /^onLinks returned rubbish: /],
  ['returns a weight of 2', 'return [{ url, weight: 2 }]', /^onLinks returned rubbish: 0\.weight: /],
];

test.each(FAULTS)('a hook that %s is named once, and the next call is answered', async (_, code, trouble) => {
  const time = trouble.source.includes('hung') ? HANGS_AFTER : LIMITS.time;
  const hooks = await hooksOf(`export function onLinks({ url }) { if (url.endsWith('well')) return []; ${code} }`, time);
  const replies = [await linksOf(hooks), await linksOf(hooks)];
  for (const reply of replies) expect(reply).toEqual({ kind: 'failed', trouble: expect.stringMatching(trouble) });
  expect(await linksOf(hooks, 'http://hooks.example/well' as CanonicalUrl)).toEqual({ kind: 'value', value: [] });
  expect(warnings).toEqual([expect.stringContaining(`at ${URL_OF_PAGE}; the page was visited without it`)]);
  await hooks.close();
  expect(warnings[1]).toMatch(/hook onLinks (threw|hung|ended its thread|returned rubbish) 2 times in this run$/);
});

test('a thread that ends after an answer costs no later call its time', async () => {
  const hooks = await hooksOf('export function onLinks() { setImmediate(() => { throw new Error("late"); }); return []; }');
  const outcomes = new Set<string>();
  for (let call = 0; call < 5; call++) {
    const reply = await linksOf(hooks);
    outcomes.add(reply.kind === 'failed' ? reply.trouble : 'answered');
  }
  outcomes.delete('onLinks ended its thread: Error: late');
  expect([...outcomes]).toEqual(['answered']);
});

test('a slow hook is waited for', async () => {
  const hooks = await hooksOf('export const onLinks = () => new Promise((resolve) => setTimeout(() => resolve([]), 200));');
  expect(await linksOf(hooks)).toEqual({ kind: 'value', value: [] });
  expect(warnings).toEqual([]);
});

test('header fields of the crawler, and secrets, are refused', async () => {
  const hooks = await hooksOf('export function beforeFetch({ url }) { return { headers: { [url.split("#")[1]]: "x" } } }');
  const asked = (name: string) =>
    hooks.ask('beforeFetch', URL_OF_PAGE, { url: `${URL_OF_PAGE}#${name}` as CanonicalUrl, depth: 0, referrer: null });
  expect(await asked('X-Research')).toEqual({ kind: 'value', value: { headers: { 'X-Research': 'x' } } });
  for (const name of ['Host', 'user-agent', 'Cookie', 'AUTHORIZATION', 'Content-Length', 'a b'])
    expect([name, await asked(name)]).toEqual([name, { kind: 'failed', trouble: expect.stringContaining('returned rubbish') }]);
});

test('a module that cannot be loaded, or has no hook, is refused before the crawl', async () => {
  await expect(checkHooks(moduleOf('export const onLinks = ('))).rejects.toThrow(
    /cannot be loaded as hooks \(SyntaxError: .*; mend it, or give --hooks none/,
  );
  await expect(checkHooks(moduleOf('throw new Error("not today")'))).rejects.toThrow('Error: not today');
  await expect(checkHooks(moduleOf('process.exit(1)'))).rejects.toThrow('its thread ended');
  await expect(checkHooks(moduleOf('export function afterread() {}'))).rejects.toThrow(
    'exports no hook; export a function named beforeFetch, afterRead',
  );
});

test('a function that no hook is named after is told', async () => {
  await hooksOf('export function afterread() {} export function onKept() {} export const LIMIT = 3;');
  expect(warnings).toEqual([expect.stringContaining('afterread: no hook has this name')]);
});
