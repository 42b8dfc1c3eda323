import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onAbort } from '../../../src/base/core/abort-listener.ts';
import { type Clock, systemClock } from '../../../src/base/core/clock.ts';
import { HostTurns } from '../../../src/crawling/fetch/host-turns.ts';
import { SimulatedClock } from '../../../src/study/eval/simulated-clock.ts';
import { hostOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** Node warns from eleven listeners on. */
const MANY = 30;
const LONG = 60_000;
const warnings: string[] = [];
const warned = ({ name }: Error) => warnings.push(name);

beforeEach(() => {
  warnings.length = 0;
  process.on('warning', warned);
});
afterEach(() => {
  process.off('warning', warned);
});

/** A simulated clock whose time stands still. */
class StandingClock extends SimulatedClock {
  protected override get allWait(): boolean {
    return false;
  }
}

const CLOCKS: readonly (readonly [string, Clock])[] = [
  ['of the machine', systemClock],
  ['of simulated crawls', new StandingClock()],
  ['of tests', new VirtualClock()],
];

test.each(CLOCKS)('many wait under one signal without a warning, and all end with it: the clock %s', async (_name, clock) => {
  const stop = new AbortController();
  const waits = Array.from({ length: MANY }, () => clock.sleep(LONG, stop.signal));
  await turn();
  stop.abort();
  await Promise.all(waits);
  expect(warnings).toEqual([]);
});

test('hosts that rest between requests, as those of many seeds that init checks', async () => {
  const stop = new AbortController();
  const turns = new HostTurns(systemClock, LONG, stop.signal);
  await Promise.all(Array.from({ length: MANY }, (_, i) => turns.take(hostOf(`http://h${i}.example/`), async () => true)));
  await turn();
  stop.abort();
  await turn();
  expect(warnings).toEqual([]);
});

test('one listener is called once, and not after it has stopped', async () => {
  const stop = new AbortController();
  const calls: string[] = [];
  onAbort(stop.signal, () => calls.push('heard'));
  const stopListening = onAbort(stop.signal, () => calls.push('stopped'));
  stopListening();
  const aborted = once(stop.signal, 'abort');
  stop.abort();
  stop.abort();
  await aborted;
  expect(calls).toEqual(['heard']);
});
