import { readFileSync } from 'node:fs';

/** Descriptors other than connections: 37 were counted with one worker, metrics and three requests. The rest is a margin for lookups and more corpus files. */
const OTHERS = 100;
/** 4 were counted; twice as many while a worker is replaced. */
const PER_WORKER = 8;
/** A connection stays open for four seconds after its request (`crawling/fetch/routes.ts`). One-second requests, each to another host, leave so many idle ones each. */
const IDLE_PER_REQUEST = 4;
const MIN_CONCURRENCY = 1;

/** The limit of open files for this process, by proc(5); null if not known. Node itself has raised it to the maximum allowed. */
export function descriptorLimit(limits = textOf('/proc/self/limits')): number | null {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  return soft === undefined || soft === 'unlimited' ? null : Number(soft);
}

/** Requests at once that the descriptors allow: as many as wanted, if possible. */
export function concurrencyWithin(limit: number | null, wanted: number, workers: number): number {
  if (limit === null) return wanted;
  const forConnections = limit - OTHERS - workers * PER_WORKER;
  return Math.max(MIN_CONCURRENCY, Math.min(wanted, Math.floor(forConnections / (1 + IDLE_PER_REQUEST))));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not Linux
  }
}
