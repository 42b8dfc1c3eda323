import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { sharedPayloads } from '../../../src/crawling/cluster/shared-payloads.ts';
import { FencedError } from '../../../src/crawling/cluster/sql-client.ts';
import type { PayloadClaim } from '../../../src/crawling/cluster/worker.ts';

const url = (name: string) => `http://${name}/` as CanonicalUrl;

/** A database of one table, whose statements are answered one at a time, when `answer` is called. */
function database() {
  const [owners, statements, open] = [new Map<string, string>(), [] as (readonly PayloadClaim[])[], [] as (() => void)[]];
  return {
    statements,
    failure: null as Error | null,
    async claimPayloads(claims: readonly PayloadClaim[]): Promise<(string | null)[]> {
      statements.push(claims);
      await new Promise<void>((resolve) => open.push(resolve));
      if (this.failure) throw this.failure;
      return claims.map(({ key, url: one }) => {
        const owner = owners.get(key) ?? one;
        owners.set(key, owner);
        return owner === one ? null : owner;
      });
    },
    async releasePayloads() {},
    async answer() {
      open.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test('claims that come while a statement runs share the next one, and each page gets its own answer', async () => {
  const engine = database();
  const payloads = sharedPayloads(engine, [{ threshold: 0.5 }, { threshold: 0.5 }], new AbortController().signal, () => undefined);
  const first = payloads.claim('x', url('first'), [0.9, 0.1]);
  const rest = [
    payloads.claim('x', url('copy'), [0.9, 0.1]),
    payloads.claim('x', url('of-both'), [0.9, 0.9]),
    payloads.claim('y', url('other'), [0.1, 0.9]),
    payloads.claim('y', url('late'), [0.1, 0.9]),
  ];
  await engine.answer();
  expect(await first).toBeNull();
  await engine.answer();
  expect(await Promise.all(rest)).toEqual([url('first'), null, null, url('other')]);
  expect(engine.statements.map((claims) => claims.map(({ key }) => key))).toEqual([['0 x'], ['0 x', '0 x', '1 x', '1 y', '1 y']]);
  const later = payloads.claim('y', url('other'), [0.1, 0.9]);
  await engine.answer();
  expect(await later).toBeNull();
});

test('a statement that fails fails its pages, and not those after it', async () => {
  const engine = database();
  const payloads = sharedPayloads(engine, [], new AbortController().signal, () => undefined);
  const first = payloads.claim('x', url('a'));
  engine.failure = new FencedError('fenced');
  const refused = expect(first).rejects.toThrow('fenced');
  const next = payloads.claim('x', url('b'));
  await engine.answer();
  await refused;
  engine.failure = null;
  await engine.answer();
  expect(await next).toBeNull();
});
