/** Published rules by which pages are chosen for training corpora: measures of a text, and bounds on them. Their names are in `quality-names.ts`. */
import { c4 } from './quality/c4.ts';
import { fineweb } from './quality/fineweb.ts';
import { gopher } from './quality/gopher.ts';
import { MeasuredText } from './quality/measured-text.ts';
import { QUALITY_LANGUAGES } from './quality/quality-languages.ts';
import { QUALITY_RULES, type QualityRules } from './quality-names.ts';

/** A rule on one measure: a text fails it below `least`, at `above` or below it, or above `most`. */
export interface Bound {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

/** One set of published rules. */
export interface QualityRuleSet<Name extends string = string> {
  /** Name of the set in `--quality` and in the column. */
  readonly name: Name;
  /** Publisher of the rules. */
  readonly source: string;
  readonly bounds: Readonly<Record<string, Bound>>;
  /** The value of each measure of `bounds`. O(text). */
  measure(text: MeasuredText): Readonly<Record<string, number>>;
}

const BY_NAME: { readonly [Name in QualityRules]: QualityRuleSet<Name> } = { gopher, c4, fineweb };

/** Rule sets in the order of their names. */
export const QUALITY_RULE_SETS: readonly QualityRuleSet<QualityRules>[] = QUALITY_RULES.map((name) => BY_NAME[name]);

export interface RulesOutcome {
  readonly measures: Readonly<Record<string, number>>;
  /** Names of the measures that are out of bounds. */
  readonly failed: readonly string[];
}

/** Outcomes by rule set; null if its rules do not apply to the language. */
export type PageQuality = Readonly<Record<QualityRules, RulesOutcome | null>>;

/**
 * Measures a text by all rule sets. Takes about 0.35 ms for 1,000 words, as much as the rest of a harvest: so only on request (`npm run bench -- clean`).
 * @param lang primary subtag; the rules need stop words and the punctuation of the language, and words with spaces between them
 */
export function qualityOf(text: string, lang: string): PageQuality {
  const language = QUALITY_LANGUAGES.get(lang);
  const measured = language && new MeasuredText(text, language);
  return Object.fromEntries(
    QUALITY_RULE_SETS.map((rules) => [rules.name, measured ? outcomeOf(rules, measured) : null] as const),
  ) as PageQuality;
}

function outcomeOf({ bounds, measure }: QualityRuleSet, text: MeasuredText): RulesOutcome {
  const measures = measure(text);
  const failed = Object.entries(bounds).flatMap(([name, bound]) => (isWithin(measures[name] ?? 0, bound) ? [] : [name]));
  return { measures: Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, Number(value.toFixed(4))])), failed };
}

function isWithin(
  value: number,
  { least = Number.NEGATIVE_INFINITY, above = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Bound,
) {
  return value >= least && value > above && value <= most;
}
