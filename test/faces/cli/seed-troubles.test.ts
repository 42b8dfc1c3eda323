import { expect, test } from 'vitest';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import { SeedTroubles } from '../../../src/faces/cli/seed-troubles.ts';
import { urlOf } from '../../support/frontier-values.ts';

/** The crawl's clock began at another time than that on the wall. */
const AT = 5_000;
const WALL = new Date(2026, 0, 2, 3, 4, 5).getTime();

function failed(url: string, reason: string, until: number | null, status: number | null = null): CrawlEvent {
  return { type: 'seed-failed', at: AT, url: urlOf(url), reason, status, until, givenUp: until && until + 60_000 };
}

function settled(url: string, fate: 'kept' | null): CrawlEvent {
  return { type: 'settled', at: AT, url: urlOf(url), settlement: 'done', fate, reason: '', status: 200, relevance: 1 };
}

test('a host is told of once, with the cause in words and the time of the next try', () => {
  const troubles = new SeedTroubles(() => WALL);
  expect(troubles.take(failed('http://a.test/', 'robots-unreachable:dns', AT + 60_000))).toBe(
    'seed http://a.test/: robots.txt could not be fetched: no such host, or no answer from the name server (robots-unreachable:dns); next try at 03:05:05, given up at 03:06:05 or later',
  );
  expect(troubles.take(failed('http://a.test/', 'robots-unreachable:dns', AT + 180_000))).toBeNull();
  expect(troubles.take(failed('http://a.test/2', 'robots-unreachable:dns', AT + 60_000))).toBeNull();
  expect(troubles.take(failed('https://b.test/', 'tls', null))).toBe('seed https://b.test/: TLS failed (tls); it is not tried again');
  expect(troubles.take(failed('https://c.test/', 'http-4xx', null, 401))).toBe(
    'seed https://c.test/: HTTP 401: it wants a name and password; see --hosts (http-4xx); it is not tried again',
  );
  expect(troubles.take(failed('https://d.test/', 'robots-unreachable:certificate-self-signed', null))).toBe(
    "seed https://d.test/: robots.txt could not be fetched: the certificate is self-signed; a crawl accepts it with 'tls: unverified' in the file of --hosts (robots-unreachable:certificate-self-signed); it is not tried again",
  );
});

test('what waits is shown until it has ended: the one that is tried next', () => {
  const troubles = new SeedTroubles(() => WALL);
  expect(troubles.waitingText()).toBe('');
  troubles.take(failed('http://a.test/', 'robots-unreachable:connect', AT + 60_000));
  troubles.take(failed('http://b.test/', 'timeout', AT + 5_000));
  expect(troubles.waitingText()).toBe('b.test: timed out; next try at 03:04:10, given up at 03:05:10 or later (and 1 other seed)');
  troubles.take(settled('http://b.test/', null));
  expect(troubles.waitingText()).toContain('b.test');
  troubles.take(settled('http://b.test/', 'kept'));
  expect(troubles.waitingText()).toBe(
    'a.test: connection refused, or no route to the host; next try at 03:05:05, given up at 03:06:05 or later',
  );
  // On a terminal of 80 columns the cause must be seen.
  expect(troubles.beside('visited 0', { waiting: 1, leased: 0 })).toMatch(/^a\.test: connection refused, .*; visited 0$/);
  expect(troubles.beside('visited 9', { waiting: 70, leased: 2 })).toMatch(/^visited 9; a\.test: connection refused, /);
  troubles.take(failed('http://a.test/', 'robots-unreachable:connect', null));
  expect(troubles.beside('visited 9', { waiting: 0, leased: 0 })).toBe('visited 9');
});

test('thousands of dead seeds are not told of one by one', () => {
  const troubles = new SeedTroubles(() => WALL);
  const told = Array.from({ length: 5000 }, (_, i) => troubles.take(failed(`http://h${i}.test/`, 'dns', AT + i)));
  expect(told.filter((line) => line !== null).length).toBe(11);
  expect(told[10]).toBe('seeds of more hosts give no page; npx forager ledger names them all');
});
