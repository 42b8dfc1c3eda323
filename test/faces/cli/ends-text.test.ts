/** Where the discovered URLs went: in words that tell a scope from robots.txt and from pictures, and that add up. */
import { expect, test } from 'vitest';
import { isExpected, refusalText } from '../../../src/base/core/refusal-words.ts';
import { endsText } from '../../../src/faces/cli/ends-text.ts';
import { FateTally } from '../../../src/study/inspect/tally.ts';

const NONE = { waiting: 0, leased: 0, parked: 0, fetched: 0, kept: 0, offTopic: 0, duplicate: 0, refused: 0, failed: 0 };
const countsOf = (over: object) => ({ ...NONE, ...over }) as Parameters<typeof endsText>[0]['counts'];

test('scope, type and robots.txt have their own counts', () => {
  const counts = countsOf({ discovered: 1453, kept: 47, offTopic: 241, failed: 6, waiting: 425, leased: 2, parked: 12, refused: 732 });
  expect(endsText({ counts, refusals: { scope: 689, 'content-type': 40, robots: 3 } })).toBe(
    '1,453 URLs: 47 kept, 241 off-topic, 6 failed, 427 waiting (12 of them parked), 689 out of scope, 40 not HTML or plain text, 3 forbidden by robots.txt',
  );
});

test('the parts add up, also where reasons are missing', () => {
  const counts = countsOf({ discovered: 1, refused: 1 });
  expect(endsText({ counts, refusals: {} })).toBe('1 URL: 1 refused');
});

test('refusals are counted by the word of their reason', () => {
  const tally = new FateTally({ threshold: 0.5, topics: [] });
  const fate = { relevance: null, status: null, fetchedAt: null, recordId: null, payloadSha256: null, page: null, visited: false };
  for (const reason of ['scope', 'scope', { kind: 'robots-unreachable', cause: 'dns' }, 'private-address'] as const)
    tally.add({ ...fate, state: 'refused', reason });
  tally.add({ ...fate, state: 'failed', reason: 'timeout' });
  expect(tally.counts()).toMatchObject({ refusals: { scope: 2, 'robots-unreachable': 1, 'private-address': 1 }, privateAddresses: 1 });
});

test('what the user asked for is not wrong; a reason of a later version stays as it is', () => {
  expect(['scope', 'content-type', 'tunnel'].map(isExpected)).toEqual([true, true, true]);
  expect(['robots-unreachable:dns', 'private-address', 'too-large'].map(isExpected)).toEqual([false, false, false]);
  expect(refusalText('robots-unreachable:dns')).toBe('of hosts whose robots.txt does not answer (dns)');
  expect(refusalText('sunspots')).toBe('sunspots');
});
