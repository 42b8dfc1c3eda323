import { readFileSync } from 'node:fs';

/** What a crawl has open besides its connections: 37 were counted with one worker, metrics and three requests under way. With room to spare for lookups, and more corpus files. */
const BESIDES = 100;
/** 4 were counted; twice as many while one is replaced. */
const PER_WORKER = 8;
/** A connection stays open for four seconds after its request (`fetch/routes.ts`): so many idle ones for each in use, at a second a request and another host each time. */
const IDLE_PER_REQUEST = 4;
const MIN_CONCURRENCY = 1;

/** The most files this process may have open, by proc(5); null where that is not known. Node itself has raised it as far as it may be. */
export function descriptorLimit(limits = textOf('/proc/self/limits')): number | null {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  return soft === undefined || soft === 'unlimited' ? null : Number(soft);
}

/** Requests at once that there are descriptors for: as many as wanted, where possible. */
export function concurrencyWithin(limit: number | null, wanted: number, workers: number): number {
  if (limit === null) return wanted;
  const forConnections = limit - BESIDES - workers * PER_WORKER;
  return Math.max(MIN_CONCURRENCY, Math.min(wanted, Math.floor(forConnections / (1 + IDLE_PER_REQUEST))));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not Linux
  }
}
