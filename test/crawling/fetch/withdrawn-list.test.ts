import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DamageError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { Withdrawals, withdrawalOf } from '../../../src/corpus/records/withdrawals.ts';
import { WithdrawnList } from '../../../src/crawling/fetch/withdrawn-list.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-withdrawn-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [A, B] = [urlOf('http://a.example/'), urlOf('http://b.example/')];
const POLL = 5000;
const page = (url: typeof A, reason = 'asked') => withdrawalOf({ id: 'urn:uuid:1' as RecordId, url }, '2026-01-01T00:00:00.000Z', reason);

test('the list of a running crawl may appear, grow and be damaged', () => {
  const path = join(folder, 'withdrawn.jsonl');
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const list = new WithdrawnList(path, clock, (message) => warnings.push(message));
  let versions = 0;
  const written = (text: string) => {
    writeFileSync(path, text);
    utimesSync(path, ++versions, versions);
    clock.advance(POLL);
  };
  expect(list.has(A)).toBe(false);
  written(new Withdrawals([page(A)]).lines());
  expect([A, B].map((url) => list.has(url))).toEqual([true, false]);
  written(new Withdrawals([page(A), page(B)]).lines());
  expect(list.has(B)).toBe(true);
  written('{"id":1}\n');
  expect([A, B].map((url) => list.has(url))).toEqual([true, true]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('withdrawn.jsonl:1');
  expect(() => Withdrawals.at(path)).toThrow(DamageError);
});

test('the first withdrawal of a page stays, and its line names no URL', () => {
  const list = new Withdrawals([page(A, 'first')]).with([page(A, 'second'), page(B)]);
  expect([...list].map(({ reason }) => reason)).toEqual(['first', 'asked']);
  expect(list.lines()).not.toContain('a.example');
  expect(list.lines()).toContain('"id":"urn:uuid:1"');
});
