/** Columns with one number a page that other commands measured: `corpus bias` and `stability`. */
export const MEASURED_COLUMNS = ['frameWeight', 'keptInRuns'] as const;
export type MeasuredColumn = (typeof MEASURED_COLUMNS)[number];
