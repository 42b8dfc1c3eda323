/** A worker of a ReadPool that does what the page says. Its outcome has the page's text and which worker read it. */
import { parentPort, threadId, workerData } from 'node:worker_threads';

const ACTS = {
  hang: () => {
    for (;;);
  },
  slow: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000),
  hoard: () => {
    const held = [];
    for (;;) held.push(new Array(10_000).fill(held.length));
  },
  throw: () => {
    throw new Error('the worker threw');
  },
  exit: () => process.exit(7),
};

parentPort.on('message', ({ id, body }) => {
  const text = Buffer.from(body).toString();
  ACTS[text]?.();
  const reply = {
    id,
    read: { kind: 'read', extraction: { title: workerData, text, lang: String(threadId) }, relevance: 1 },
    links: { count: 0 },
  };
  parentPort.postMessage(reply);
  if (text === 'twice') parentPort.postMessage(reply);
});
