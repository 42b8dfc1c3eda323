import type { Ms } from '../../src/base/core/types.ts';
import { FAULT_OUTCOMES } from '../support/fault-outcomes.ts';
import type { FaultTest, Row } from './faults.ts';

/** A line of the table within its file. */
export type Line = readonly [row: Row, input: string, test: string, outcome: string, bounds?: { readonly ms?: Ms; readonly mb?: number }];

/** One request; the hostile web’s tests are held to 1.2 s themselves. */
export const REQUEST: Ms = 2_500;
/** What is computed in memory or on a virtual clock. */
export const QUICK: Ms = 10_000;
/** What starts processes, on a machine that is busy besides. */
export const PROCESSES: Ms = 60_000;

export function inFile(file: string, ms: Ms, lines: readonly Line[]): FaultTest[] {
  return lines.map(([row, input, test, outcome, bounds]) => ({ row, input, file, test, outcome, ms, ...bounds }));
}

/** Paths of the hostile web: each is one request to a raw socket, with an outcome of its own. */
export function paths(row: Row, inputs: Readonly<Record<string, string>>): FaultTest[] {
  return inFile(
    'test/crawling/fetch/http-fetcher.test.ts',
    REQUEST,
    Object.entries(inputs).map(([path, input]) => [row, input, `${path} ends as expected and in time`, FAULT_OUTCOMES[path] ?? '']),
  );
}
