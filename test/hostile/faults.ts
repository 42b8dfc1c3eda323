/** The table of faults: for each item of the list of faults, the test that plays it, the bounds it is held to, and how it must end. */
import type { Ms } from '../../src/base/core/types.ts';
import { LISTS, PAGES } from './faults-content.ts';
import { MACHINE } from './faults-machine.ts';
import { NETWORK } from './faults-network.ts';

/** Of the list: N network, R robots.txt and sitemaps, H pages, U URLs, D duplicates, S the machine, M memory. */
export const ROWS = [
  ...(['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13', 'N14', 'N15', 'N16'] as const),
  ...(['R1', 'R2', 'H1', 'H2', 'U1', 'D1', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9', 'S10', 'M1'] as const),
] as const;
export type Row = (typeof ROWS)[number];

export interface FaultTest {
  readonly row: Row;
  readonly input: string;
  readonly file: string;
  /** As vitest names it: ` > ` behind the name of a group. */
  readonly test: string;
  /** How long the whole test may take. */
  readonly ms: Ms;
  /** Most that resident memory may grow, in MB; left out where the test does not measure it. */
  readonly mb?: number;
  readonly outcome: string;
}

/** What has no test in `npm test`: another command, or a feature that is not there. */
export interface Elsewhere {
  readonly row: Row;
  readonly input: string;
  readonly where: string;
}

export const FAULT_TESTS: readonly FaultTest[] = [...NETWORK, ...LISTS, ...PAGES, ...MACHINE].sort(
  (one, other) => ROWS.indexOf(one.row) - ROWS.indexOf(other.row),
);

export const ELSEWHERE: readonly Elsewhere[] = [
  {
    row: 'N16',
    input: 'a probe of each host with a URL that cannot be there',
    where: 'none: what is alike is parked, without a request more',
  },
  { row: 'S1', input: 'kill -9 at 50 moments and at each named point', where: 'npm run check -- crash' },
  { row: 'S2', input: 'power loss: pages of files that were not written', where: 'npm run check -- crash' },
  { row: 'S3', input: 'a small disk that runs full', where: 'npm run check -- crash' },
  { row: 'S5', input: 'two processes in one directory, and one put to sleep for longer than a lease', where: 'npm run check -- crash' },
  { row: 'S7', input: 'coordinator down, empty or cut off', where: 'none: there is no coordinator yet' },
  { row: 'S9', input: 'a page of search: XSS, CSRF, paths', where: 'none: there is no such page yet' },
  { row: 'M1', input: 'half an hour on the generated web: memory, descriptors, workers, timers', where: 'npm run check -- soak' },
];
