/** One input of the fuzzer again: what it violates, and the least of it that still does. */
import type { Ms } from '../../src/base/core/types.ts';
import { FuzzReader } from './fuzz-extract-check.ts';
import { type FuzzPage, fuzzCorpus, fuzzPage } from './fuzz-extract-input.ts';
import { kindOf } from './fuzz-extract-run.ts';

/** Throw-away pages that let the compiler settle, so that a time means something. */
const WARM_UP_PAGES = 500;

/** @returns true when nothing is violated. */
export async function replay(seed: number, n: number, cap: Ms, say: (line: string) => void): Promise<boolean> {
  const corpus = fuzzCorpus();
  const reader = await FuzzReader.of(cap);
  for (let i = 0; i < WARM_UP_PAGES; i++) reader.check(fuzzPage(corpus, seed + 1, i), i);
  const page = fuzzPage(corpus, seed, n);
  const { mode, ms, violations } = reader.check(page, n);
  say(`${mode}, ${page.body.length} bytes, ${ms.toFixed(1)} ms, ${page.url} ${JSON.stringify(page.headers)}`);
  for (const what of violations) say(`VIOLATION ${what}`);
  const kind = kindOf(violations[0] ?? '');
  const least = kind === '' ? page : shrunk(page, (smaller) => reader.check(smaller, n).violations.some((what) => kindOf(what) === kind));
  say(JSON.stringify(Buffer.from(least.body.subarray(0, 2000)).toString('latin1')));
  return violations.length === 0;
}

/** Takes out ever smaller pieces for as long as the page `fails`. At most a few thousand tries. */
function shrunk(page: FuzzPage, fails: (page: FuzzPage) => boolean): FuzzPage {
  let { body } = page;
  for (let size = Math.ceil(body.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < body.length; ) {
      const without = new Uint8Array([...body.subarray(0, at), ...body.subarray(at + size)]);
      if (fails({ ...page, body: without })) body = without;
      else at += size;
    }
  }
  return { ...page, body };
}
