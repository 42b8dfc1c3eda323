/** A frontier that opens from its checkpoint is the one that a replay of everything stored gives. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { Rescorer } from '../../../src/base/core/parts/scoring.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { PAGE } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { runs } from '../../support/extent.ts';
import { ALTERNATE, fate, link, outlinks, report, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const NAME = 'checkpoint.bin';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-checkpoint-'));
  folders.push(folder);
  return folder;
}

const clock = new VirtualClock();
const OPTIONS = { clock, delay: 0, maxPagesPerHost: 6, traps: true, checkpointFrom: 0 };
const open = (folder: string, judgedBy: string | null = null) => openLmdbFrontier(folder, OPTIONS, judgedBy);
const ready = Promise.resolve();

/** Everything that a frontier shows, and the order in which it leases what waits. */
function shown(frontier: Frontier): unknown {
  const ledger = [...frontier.ledger()];
  const found = ledger.map(({ url }) => ({ ...frontier.find(url), alternates: frontier.alternatesOf(url) }));
  const settled = [...frontier.settled()];
  const counts = frontier.counts();
  const leases: unknown[] = [];
  for (;;) {
    const next = frontier.next();
    if (next.kind !== 'lease') return { counts, found, settled, leases: [...leases, next] };
    leases.push(next.lease.entry);
    frontier.settle(next.lease, { kind: 'done', fate: fate('failed', { visited: false, status: null }), discovered: null, host: null });
  }
}

/** The same folder opened from the checkpoint, and without it. */
async function bothWays(folder: string): Promise<{ readonly checkpoint: unknown; readonly replay: unknown }> {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  expect(existsSync(join(copy, NAME))).toBe(true);
  const other = newFolder();
  cpSync(folder, other, { recursive: true });
  rmSync(join(other, NAME));
  const states: unknown[] = [];
  for (const one of [copy, other]) {
    const frontier = open(one);
    states.push(shown(frontier));
    await frontier.commit({}, ready);
    await frontier.close();
  }
  return { checkpoint: states[0], replay: states[1] };
}

/** Gives each link a number of its own, another one each time. */
const scorerOf = (turn: number): Rescorer => ({
  score: (entries) => Float32Array.from(entries, ({ url }) => seededRng(url.length * 31 + turn)()),
});

/** A session of a crawl of a small web: pages kept, off topic, failed, tried again; links refused, seen again, rescored. */
async function session(folder: string, seed: number, steps: number): Promise<void> {
  const rng = seededRng(seed);
  const drawn = (most: number) => Math.floor(rng() * most);
  const frontier = open(folder);
  const links = () =>
    Array.from({ length: 1 + drawn(6) }, () => {
      const refusal = ([null, null, null, 'tunnel', 'scope'] as const)[drawn(5)] ?? null;
      const task = drawn(6) === 0 ? ALTERNATE : PAGE;
      const found = link(
        `http://h${drawn(7)}.test/${drawn(3)}/${drawn(40)}?q=${drawn(3)}`,
        rng(),
        refusal,
        { anchorText: `a${drawn(9)}` },
        task,
      );
      return drawn(4) > 0 ? found : { ...found, alternates: [{ lang: 'fr', url: urlOf(`http://fr.test/${drawn(9)}`) }] };
    });
  frontier.add(outlinks('http://start.test/', links(), { depth: 1 }));
  for (let step = 0; step < steps; step++) {
    const next = frontier.next();
    if (next.kind !== 'lease') {
      frontier.add(outlinks(`http://more.test/${step}`, links(), { depth: 1 + drawn(4), offTopicDepth: drawn(3) }));
      continue;
    }
    const { lease } = next;
    const kind = drawn(6);
    if (kind === 0)
      frontier.settle(lease, { kind: 'retry', reason: 'timeout', notBefore: clock.now() + drawn(2) * 50, host: report('fault') });
    else if (kind === 1) frontier.settle(lease, { kind: 'released', host: WELL });
    else {
      const known = { relevance: rng() / 3, simhash: [drawn(3), 7] as const };
      const ended = kind < 4 ? fate('kept', { ...known, relevance: rng() }) : fate(kind === 4 ? 'off-topic' : 'failed', known);
      const discovered = outlinks(lease.entry.url, links(), { depth: 1 + drawn(5), offTopicDepth: drawn(4), learnedFrom: step });
      frontier.settle(lease, { kind: 'done', fate: ended, discovered, host: kind === 5 ? report('fault') : WELL });
    }
    if (drawn(10) === 0) frontier.rescore(scorerOf(seed + step), step);
    if (drawn(8) === 0) await frontier.commit({ 'records.jsonl': step }, ready);
  }
  frontier.storePriorities();
  await frontier.commit({ 'records.jsonl': steps }, ready);
  await frontier.close();
}

test('any history of sessions opens from the checkpoint as from a replay: ledger, fates, counts, parked patterns, order of leases', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ seed: fc.nat(), steps: fc.nat(120) }), { minLength: 1, maxLength: 4 }), async (sessions) => {
      const folder = newFolder();
      for (const { seed, steps } of sessions) await session(folder, seed, steps);
      const { checkpoint, replay } = await bothWays(folder);
      expect(checkpoint).toEqual(replay);
    }),
    { numRuns: runs(50) },
  );
});

test('parked patterns are parked as they were, for the same reasons', async () => {
  const folder = newFolder();
  const frontier = openLmdbFrontier(folder, { ...OPTIONS, maxPagesPerHost: 1000 });
  const pages = Array.from({ length: 60 }, (_, i) => link(`http://a.test/list?page=${i}`, 1 - i / 100));
  frontier.add(outlinks('http://start.test/', pages, { depth: 1, offTopicDepth: 1 }));
  for (let i = 0; i < 30; i++) {
    const next = frontier.next();
    if (next.kind !== 'lease') break;
    const ended = fate('off-topic', { relevance: 0.01, simhash: [5, 6] });
    frontier.settle(next.lease, { kind: 'done', fate: ended, discovered: outlinks(next.lease.entry.url, []), host: WELL });
  }
  await frontier.commit({}, ready);
  await frontier.close();
  const { checkpoint, replay } = await bothWays(folder);
  expect(checkpoint).toEqual(replay);
  const again = openLmdbFrontier(folder, { ...OPTIONS, maxPagesPerHost: 1000 });
  expect([...again.ledger()].filter(({ state, reason }) => state === 'parked' && /^pattern /.test(String(reason))).length).toBeGreaterThan(
    20,
  );
  await again.close();
});

test('a checkpoint that is torn or changed costs nothing but a replay', async () => {
  const folder = newFolder();
  await session(folder, 1, 60);
  const expected = (await bothWays(folder)).replay;
  const bytes = readFileSync(join(folder, NAME));
  const changes: (() => void)[] = [
    () => truncateSync(join(folder, NAME), bytes.length - 1),
    () => truncateSync(join(folder, NAME), 3),
    () =>
      writeFileSync(
        join(folder, NAME),
        bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)),
      ),
    () => writeFileSync(join(folder, NAME), ''),
    // The last part is that of parked patterns.
    () => writeFileSync(join(folder, NAME), Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])),
    // A header of 4 GB.
    () => writeFileSync(join(folder, NAME), Buffer.concat([Buffer.from([255, 255, 255, 255]), bytes.subarray(4)])),
  ];
  for (const change of changes) {
    change();
    const copy = newFolder();
    cpSync(folder, copy, { recursive: true });
    const frontier = open(copy);
    expect(shown(frontier)).toEqual(expected);
    await frontier.commit({}, ready);
    await frontier.close();
  }
});

test('the file stays while nothing is committed, and is used: a number changed in it, with the right checksum, shows', async () => {
  const folder = newFolder();
  await session(folder, 3, 60);
  const written = statSync(join(folder, NAME)).ino;
  const unchanged = open(folder);
  const { visited: before } = unchanged.counts();
  await unchanged.close();
  // Nothing was committed since: the file stays.
  expect(statSync(join(folder, NAME)).ino).toBe(written);
  const bytes = readFileSync(join(folder, NAME));
  const at = bytes.indexOf(`"visited":${before}`) + '"visited":'.length;
  bytes.write(
    String(before).replace(/^./, (digit) => String((Number(digit) % 9) + 1)),
    at,
    'latin1',
  );
  bytes.writeUInt32LE(crc32(bytes.subarray(8, 8 + bytes.readUInt32LE(0))), 4);
  writeFileSync(join(folder, NAME), bytes);
  const after = open(folder);
  expect(after.counts().visited).not.toBe(before);
  await after.close();
});

test('after kill -9 of a later run, its commits are replayed, and the file of before is not used', async () => {
  const folder = newFolder();
  await session(folder, 2, 60);
  const before = readFileSync(join(folder, NAME));
  const running = open(folder);
  running.add(outlinks('http://late.test/', [link('http://late.test/1', 1)]));
  await running.commit({ 'records.jsonl': 99 }, ready);
  // What a killed process leaves: the commit, and the file of the run before.
  const killed = newFolder();
  cpSync(folder, killed, { recursive: true });
  expect(readFileSync(join(killed, NAME)).equals(before)).toBe(true);
  const after = open(killed);
  expect([...after.ledger()].some(({ url }) => url === 'http://late.test/1')).toBe(true);
  await after.close();
  await running.close();
});

test('nothing is written by a frontier that is small, holds a lease, or has something to commit', async () => {
  const small = newFolder();
  const one = openLmdbFrontier(small, { ...OPTIONS, checkpointFrom: 2 });
  one.add(outlinks('http://a.test/', [link('http://a.test/1', 1)]));
  await one.commit({}, ready);
  await one.close();
  const leasing = newFolder();
  const two = open(leasing);
  two.add(outlinks('http://a.test/', [link('http://a.test/1', 1)]));
  await two.commit({}, ready);
  two.next();
  await two.close();
  const uncommitted = newFolder();
  const three = open(uncommitted);
  three.add(outlinks('http://a.test/', [link('http://a.test/1', 1)]));
  await three.commit({}, ready);
  three.add(outlinks('http://a.test/', [link('http://a.test/2', 1)]));
  await three.close();
  for (const folder of [small, leasing, uncommitted]) expect(existsSync(join(folder, NAME))).toBe(false);
});
