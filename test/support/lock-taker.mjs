/** A process that takes a lock when it is told to: a line of JSON for each order, a line of text for each answer. Built: `dist`. */
import { createInterface } from 'node:readline';
import { takeLock } from '../../dist/base/disk/lock.js';

/** Twenty seconds are over at once: of nobody who is watched it is known that he lives. */
const HASTY = { now: () => (HASTY.at += 1000), sleep: () => Promise.resolve(), at: 0 };

let held = null;
const does = {
  async take({ path, os = true, hasty = false, at = 0 }) {
    // All who were told begin at one moment.
    while (Date.now() < at);
    held = await takeLock(path, 'x', { ...(os ? {} : { os: () => null }), ...(hasty ? { clock: HASTY } : {}) });
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
