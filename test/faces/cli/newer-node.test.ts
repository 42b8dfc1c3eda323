/** The same crawl by the Node of the tests and by a newer one: see test/support/newer-node.ts. */
import { chmodSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWER_NODE, newerNode } from '../../support/newer-node.ts';
import { done, jsonLines, MAIN, startScript } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(120, 2);
let topic: string;
beforeAll(async () => {
  topic = await trainedOn(small);
});
afterAll(() => small.close());

/** A program of that name which says that it is this Node. */
function nodeSaying(version: string, name: string): string {
  writeFileSync(small.path(name), `#!/bin/sh\necho ${version}\n`);
  chmodSync(small.path(name), 0o755);
  return small.path(name);
}

test('a newer Node is found by NEWER_NODE, else on the search path; an older one and none are not taken', () => {
  const old = nodeSaying('v22.15.0', 'node');
  expect(newerNode({ PATH: `/nowhere::${small.dir}` })).toBeNull();
  const newer = nodeSaying('v24.1.0', 'node24');
  expect(newerNode({ PATH: `/nowhere::${small.dir}` })).toBe(newer);
  expect(newerNode({ PATH: '/nowhere' })).toBeNull();
  expect(newerNode({ NEWER_NODE: newer, PATH: '/nowhere' })).toBe(newer);
  for (const wrong of [old, '/nowhere/node'])
    expect(() => newerNode({ NEWER_NODE: wrong, PATH: small.dir })).toThrow(`NEWER_NODE=${wrong}: `);
});

/** Each URL with its fate, as `ledger` prints it, but for the time. */
async function ledgerOf(name: string): Promise<readonly object[]> {
  return jsonLines<object>(await done('ledger', small.path(name))).map((line) => ({ ...line, fetchedAt: undefined }));
}

test.skipIf(NEWER_NODE === null)(
  'either Node resumes a crawl of the other, both come to the same ledger, and the newer verifies it',
  async () => {
    const { proxy } = await small.serve();
    const crawl = (name: string, pages: number) => {
      const options = [
        '--topic',
        topic,
        '--seeds',
        ...small.seeds,
        '--proxy',
        proxy,
        '--delay',
        '0',
        '--concurrency',
        '1',
        '--contact',
        'a@b.example',
      ];
      return ['crawl', small.path(name), ...options, '--max-pages', `${pages}`];
    };
    const byNewer = async (...args: readonly string[]) => {
      const { code, stderr } = await startScript(MAIN, args, '', NEWER_NODE ?? '').ended;
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    };
    await done(...crawl('begun-by-older', 20));
    await byNewer(...crawl('begun-by-older', 40));
    await byNewer(...crawl('begun-by-newer', 20));
    await done(...crawl('begun-by-newer', 40));
    expect(await ledgerOf('begun-by-newer')).toEqual(await ledgerOf('begun-by-older'));
    await byNewer('verify', small.path('begun-by-newer'));
  },
);
