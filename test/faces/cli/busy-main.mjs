/** A command whose main thread is busy for good, as its argument says: in JavaScript, or in a call of the system. */
import { onInterrupt } from '../../../dist/faces/cli/interrupt.js';

const how = process.argv[2];
const interrupt = onInterrupt('Stopping.');
await interrupt.ready;
interrupt.signal.addEventListener('abort', () => process.stderr.write('aborted\n'));
process.stderr.write('begun\n');
const forever = new Int32Array(new SharedArrayBuffer(4));
if (how === 'script') for (;;);
else if (how === 'system') Atomics.wait(forever, 0, 0);
else setInterval(() => undefined, 1000);
