/** The measured process of `npm run bench -- in-flight`: the built package, and a look at its event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { crawl } from 'forager';

const [dir, topic, pages, requests, ...seeds] = process.argv.slice(2);
/** How often the loop is looked at, in ms: what it is late by is beyond that. */
const RESOLUTION = 2;
const lag = monitorEventLoopDelay({ resolution: RESOLUTION });
let [inFlight, settled, since, before, area, last, ended] = [0, 0, 0, 0, 0, 0, 0];

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
}

const onEvent = ({ type }) => {
  if (type === 'leased') count(1);
  if (type !== 'settled') return;
  settled += 1;
  // The last thousand pages end without others beside them.
  if (settled === Number(pages) - Number(requests)) {
    lag.disable();
    ended = performance.now();
  }
  count(-1);
};
await crawl({ dir, topic, seeds, maxPages: Number(pages), concurrency: Number(requests), delay: 0, allowPrivate: true, onEvent });
if (since === 0 || ended === 0) throw new Error(`never ${requests} requests in flight; give more --pages or a longer --latency`);
const seconds = (ended - since) / 1000;
const late = (percentile) => Math.max(0, lag.percentile(percentile) / 1e6 - RESOLUTION);
process.send?.({
  pages: settled,
  seconds,
  meanInFlight: area / (ended - since),
  pagesASecond: (Number(pages) - Number(requests) - before) / seconds,
  p50: late(50),
  p99: late(99),
  p999: late(99.9),
  max: Math.max(0, lag.max / 1e6 - RESOLUTION),
});
process.disconnect?.();
