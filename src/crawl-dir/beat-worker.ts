/** Beats for a lock of the process it is a thread of. */
import { workerData } from 'node:worker_threads';
import { BEAT_EVERY, Beat, type Beating } from './lock-beat.ts';

const beat = new Beat(workerData as Beating);
setInterval(() => beat.once(Date.now()), BEAT_EVERY);
