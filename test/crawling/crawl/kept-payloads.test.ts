import { expect, test } from 'vitest';
import type { CanonicalUrl, RecordId } from '../../../src/base/core/types.ts';
import { keptPayloads } from '../../../src/crawling/crawl/kept-payloads.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { fate, link, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { cutText, heapKeptBy } from '../../support/heap.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const topics = [{ threshold: 0.5 }, { threshold: 0.3 }];
const [one, two, three] = [urlOf('http://a.test/1'), urlOf('http://a.test/2'), urlOf('http://a.test/3')];

/** A frontier whose only settled page, of payload `x`, was kept. */
function frontierWith(relevances?: readonly number[]) {
  const options = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
  const frontier = openMemoryFrontier(options);
  frontier.add(seeds(link(one, 1)));
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  const kept = fate('kept', { relevance: 0.9, recordId: 'urn:uuid:1' as RecordId, payloadSha256: 'x', ...(relevances && { relevances }) });
  frontier.settle(next.lease, { kind: 'done', fate: kept, discovered: null, host: WELL });
  return frontier;
}

test('a payload is kept under one URL, which may claim it again', () => {
  const kept = keptPayloads(frontierWith());
  expect(kept.claim('x', two)).toBe(one);
  expect(kept.claim('x', one)).toBeNull();
  expect(kept.claim('y', two)).toBeNull();
  expect(kept.claim('y', three)).toBe(two);
});

test('the payload of a version that came later is kept under its URL, and the one before no more', () => {
  const frontier = frontierWith();
  frontier.revisit(10);
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  const version = { recordId: 'urn:uuid:2' as RecordId, payloadSha256: 'z', relevance: 0.9, modelId: 'm' };
  const revisit = { at: 20, status: 200, result: 'changed', version } as const;
  frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
  const kept = keptPayloads(frontier);
  expect(kept.claim('z', two)).toBe(one);
  expect(kept.claim('x', two)).toBeNull();
  expect(kept.claim('z', one)).toBeNull();
  kept.release('z', two);
  expect(kept.claim('z', two)).toBe(one);
  kept.release('z', one);
  expect(kept.claim('z', two)).toBeNull();
});

test('of several topics, a page is a copy where each topic it is on has its payload', () => {
  const kept = keptPayloads(frontierWith([0.9, 0.1]), topics);
  expect(kept.claim('x', two, [0.5, 0.1])).toBe(one);
  expect(kept.claim('x', two, [0.49, 0.3])).toBeNull();
  expect(kept.claim('x', three, [0.1, 0.3])).toBe(two);
  expect(kept.claim('x', three, [0.9, 0.9])).toBe(one);
  expect(kept.claim('y', three, [0.9, 0.9])).toBeNull();
  expect(kept.claim('y', one, [0.9, 0.1])).toBe(three);
});

test('a page that is new to one of its topics leaves the payload of the others with who had it', () => {
  const kept = keptPayloads(frontierWith([0.9, 0.1]), topics);
  expect(kept.claim('x', two, [0.9, 0.3])).toBeNull();
  expect(kept.claim('x', three, [0.9, 0.1])).toBe(one);
  expect(kept.claim('x', three, [0.1, 0.9])).toBe(two);
});

test('what a page no longer has may be another’s, for each topic; what another has stays with it', () => {
  const kept = keptPayloads(frontierWith([0.9, 0.1]), topics);
  expect(kept.claim('x', two, [0.1, 0.9])).toBeNull();
  kept.release('x', one);
  expect(kept.claim('x', three, [0.1, 0.9])).toBe(two);
  expect(kept.claim('x', three, [0.9, 0.1])).toBeNull();
  kept.release('x', two);
  expect(kept.claim('x', one, [0.1, 0.9])).toBeNull();
  expect(kept.claim('x', one, [0.9, 0.1])).toBe(three);
});

test('a kept page takes the memory of its digest and its URL, not that of the record its URL was decoded from', () => {
  const pages = 2000;
  const kept = heapKeptBy(() => {
    const payloads = keptPayloads(frontierWith());
    for (let n = 0; n < pages; n++) payloads.claim(`digest ${n}`, cutText('http://a.test/', n) as CanonicalUrl, undefined);
    return payloads;
  });
  expect(kept).toBeLessThan(1000 * pages);
});
