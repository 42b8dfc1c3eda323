/** A process that takes a lock when it is told to: a line of JSON for each order, a line of text for each answer. Built: `dist`. */
import { createInterface } from 'node:readline';
import { takeLock } from '../../dist/base/disk/lock.js';

let held = null;
const does = {
  async take({ path, os = true, takeOver = false, at = 0 }) {
    // All who were told begin at one moment.
    while (Date.now() < at);
    held = await takeLock(path, 'x', { ...(os ? {} : { os: () => null }), takeOver });
    return 'taken';
  },
  async check() {
    held.check();
    return 'held';
  },
  async release() {
    await held?.release();
    held = null;
    return 'released';
  },
};

process.stdout.write(`${process.pid}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const said = await does[order.do](order).catch((error) => `${error.code}: ${error.message}`);
  process.stdout.write(`${said}\n`);
}
