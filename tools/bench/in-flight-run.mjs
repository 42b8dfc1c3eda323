/** The measured process of `npm run bench -- in-flight`: the built package, and a look at its event loop. */
import { openSync, readSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { crawl } from 'forager';

const [dir, topic, pages, requests, ...seeds] = process.argv.slice(2);
/** How often the loop is looked at, in ms: what it is late by is beyond that. */
const RESOLUTION = 2;
const lag = monitorEventLoopDelay({ resolution: RESOLUTION });
/** The same turns by what this thread did in them: nanoseconds on a processor, and ready to run without one. Linux counts them, others do not. */
const schedstat = process.platform === 'linux' ? openSync(`/proc/self/task/${process.pid}/schedstat`, 'r') : null;
const [work, kept] = [createHistogram(), createHistogram()];
let looking = false;
let [inFlight, settled, since, before, area, last, ended] = [0, 0, 0, 0, 0, 0, 0];

function look([workBefore, keptBefore]) {
  if (!looking || schedstat === null) return;
  const [worked, waited] = threadTimes();
  work.record(Math.max(1, worked - workBefore));
  kept.record(Math.max(1, waited - keptBefore));
  setTimeout(look, RESOLUTION, [worked, waited]);
}

function threadTimes() {
  const text = Buffer.alloc(80);
  return text
    .toString('latin1', 0, readSync(schedstat, text, 0, text.length, 0))
    .split(' ')
    .map(Number);
}

function count(by) {
  if (ended > 0) return;
  const now = performance.now();
  if (since > 0) area += inFlight * (now - last);
  last = now;
  inFlight += by;
  if (since > 0 || inFlight < Number(requests)) return;
  since = now;
  before = settled;
  lag.enable();
  looking = true;
  if (schedstat !== null) look(threadTimes());
}

const onEvent = ({ type }) => {
  if (type === 'leased') count(1);
  if (type !== 'settled') return;
  settled += 1;
  // The last thousand pages end without others beside them.
  if (settled === Number(pages) - Number(requests)) {
    lag.disable();
    looking = false;
    ended = performance.now();
  }
  count(-1);
};
await crawl({ dir, topic, seeds, maxPages: Number(pages), concurrency: Number(requests), delay: 0, allowPrivate: true, onEvent });
if (since === 0 || ended === 0) throw new Error(`never ${requests} requests in flight; give more --pages or a longer --latency`);
const seconds = (ended - since) / 1000;
/** Milliseconds beyond `grace`, the wait for the next look. */
const late = (histogram, grace) => {
  const of = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - grace);
  return {
    p50: of(histogram.percentile(50)),
    p99: of(histogram.percentile(99)),
    p999: of(histogram.percentile(99.9)),
    max: of(histogram.max),
  };
};
process.send?.({
  pages: settled,
  seconds,
  meanInFlight: area / (ended - since),
  pagesASecond: (Number(pages) - Number(requests) - before) / seconds,
  clock: late(lag, RESOLUTION),
  thread: schedstat === null ? null : { work: late(work, 0), kept: late(kept, 0) },
});
process.disconnect?.();
