/** The only list of names of quality rules, as in `--quality` and in the column; `quality-rules.ts` has the rules themselves. */
export const QUALITY_RULES = ['gopher', 'c4', 'fineweb'] as const;
export type QualityRules = (typeof QUALITY_RULES)[number];
