/** Descriptions of services at the lengths that a record has: a stranger wrote each name. */
import type { ApiDescription } from '../../base/core/types.ts';
import { cappedFact } from './document-page.ts';

/** Most characters of a summary, and most operations: the largest descriptions known have some 10,000. */
const MAX_SUMMARY = 300;
const MAX_OPERATIONS = 20_000;
/** Most addresses of one service. */
const MAX_ENDPOINTS = 1000;

export function shortDescription({ name, version, operations, endpoints }: ApiDescription): ApiDescription {
  return {
    name: cappedFact(name),
    version: version === null ? null : cappedFact(version),
    operations: operations.slice(0, MAX_OPERATIONS).map(shortOperation),
    endpoints: endpoints.slice(0, MAX_ENDPOINTS).map(cappedFact),
  };
}

function shortOperation({ method, path, summary }: ApiDescription['operations'][number]): ApiDescription['operations'][number] {
  return { method: cappedFact(method), path: cappedFact(path), summary: summary?.slice(0, MAX_SUMMARY) ?? null };
}
