/** A crawl whose main thread is busy for good from its second commit on. Its argument: the crawl's options as JSON. */
import { crawl } from 'forager';
import { onInterrupt } from '../../../dist/faces/cli/interrupt.js';

const interrupt = onInterrupt('Stopping.');
await interrupt.ready;
let commits = 0;
const onEvent = ({ type }) => {
  if (type !== 'committed' || ++commits < 2) return;
  process.stderr.write('busy\n');
  for (;;);
};
await crawl({ ...JSON.parse(process.argv[2] ?? ''), signal: interrupt.signal, onEvent });
