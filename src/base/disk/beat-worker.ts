/** A thread that beats for a lock of its process. */
import { workerData } from 'node:worker_threads';
import { BEAT_EVERY, Beat, type Beating } from './lock-beat.ts';

const beat = new Beat(workerData as Beating);
setInterval(() => beat.once(Date.now()), BEAT_EVERY);
