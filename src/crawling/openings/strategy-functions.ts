/** A strategy of the user, in its thread: the functions that the crawl calls, made of the module. Other end: own-strategy.ts. */
import * as z from 'zod';
import { messageOf } from '../../base/core/errors.ts';
import type { LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { CanonicalUrl, LinkText, OwnScore, Referrer } from '../../base/core/types.ts';
import type { HookFault } from './hook-thread.ts';

/** Settings that a strategy gets. */
export interface OwnStrategySettings {
  /** A page at or above this relevance is on topic. */
  readonly threshold: number;
  /** Seed of random choices. */
  readonly seed: number;
}

/** Links of one page, as they cross to the thread. */
export interface LinksToScore {
  readonly referrer: Referrer;
  readonly links: readonly { readonly url: CanonicalUrl; readonly text: LinkText }[];
}

const JUDGEMENTS = ['none', 'context', 'anchor-and-context'] as const;
const aFunction = <F>(message: string) => z.custom<F>((value) => typeof value === 'function', message);
const strategySchema = z.object(
  {
    name: z.string().min(1).max(100),
    judgement: z.enum(JUDGEMENTS).optional(),
    scorer: aFunction<(settings: OwnStrategySettings) => unknown>('is not a function'),
  },
  'is not an object',
);
const scorerSchema = z.object(
  {
    score: aFunction<LinkScorer['score']>('is not a function'),
    explain: aFunction<(link: ScorableLink) => unknown>('is not a function; a strategy must explain'),
    learn: z.undefined('is not possible: a strategy of your own scores each link once, when its page is read').optional(),
  },
  'is not an object',
);

/** An explanation of a person may leave out everything except its contributions. */
const explanationSchema = z.object({
  contributions: z.array(z.object({ feature: z.string().max(200), contribution: z.number() })).max(50),
  bias: z.number().default(0),
  logit: z.number().optional(),
  priority: z.number().optional(),
  rule: z.string().max(300).optional(),
});

/** Difference that 32-bit numbers of a scorer may have. */
const TOLERANCE = 1e-6;

/** The functions of a module. @throws Error that names the missing part of the strategy */
export function strategyFunctions(
  module: Readonly<Record<string, unknown>>,
  settings: OwnStrategySettings,
): Readonly<Record<string, unknown>> {
  const strategy: unknown = module['default'];
  check(strategySchema, strategy, 'its default export');
  const { name, judgement = 'none' } = strategy;
  const scorer = strategy.scorer(settings);
  check(scorerSchema, scorer, `the scorer of ${name}`);
  const probe = scoresOf(scorer, PROBE).find((score) => 'cause' in score);
  if (probe !== undefined && 'cause' in probe) throw new Error(`${name} ${probe.cause} with a link like any other: ${probe.detail}`);
  return { describe: () => ({ judgement }), score: (links: LinksToScore) => scoresOf(scorer, links) };
}

type Scorer = z.infer<typeof scorerSchema>;

/** The value itself is used, and no copy: its functions may be those of a class. */
function check<T>(schema: z.ZodType<T>, value: unknown, what: string): asserts value is T {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const [issue] = error.issues;
  throw new Error(`${[what, ...(issue?.path ?? [])].join('.')} ${issue?.message ?? 'is not understood'}`);
}

/** The score of each link, with its terms; or why there is none. */
function scoresOf(scorer: Scorer, { referrer, links }: LinksToScore): readonly (OwnScore | HookFault)[] {
  const depth = referrer.depth + 1;
  const { offTopicDepth } = referrer;
  const scorable = links.map(({ url, text: link }) => ({ url, depth, offTopicDepth, edge: { referrer, link, learnedFrom: 0 } }));
  const all = orFault(() => scorer.score(scorable));
  // One link should not cost the others of its page their scores.
  if ('cause' in all) return scorable.map((link) => scoreOfOne(scorer, link));
  return scorable.map((link, i) => orFault(() => explainedScore(all[i], scorer.explain(link))));
}

function scoreOfOne(scorer: Scorer, link: ScorableLink): OwnScore | HookFault {
  return orFault(() => explainedScore(scorer.score([link])[0], scorer.explain(link)));
}

/** A score that is the sum of its terms. @throws Rubbish */
function explainedScore(score: unknown, explanation: unknown): OwnScore {
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) throw new Rubbish(`score: ${String(score)} is not a number from 0 to 1`);
  const { data, error } = explanationSchema.safeParse(explanation);
  if (error !== undefined) throw new Rubbish(`explain: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  const { contributions, bias, rule } = data;
  const sum = contributions.reduce((total, { contribution }) => total + contribution, bias);
  const { logit = sum, priority = rule === undefined ? sum : score } = data;
  if (!near(sum, logit)) throw new Rubbish(`explain: the contributions add up to ${sum}, and logit is ${logit}`);
  if (!near(priority, score)) throw new Rubbish(`explain: its terms give ${priority}, and the score is ${score}`);
  const terms = contributions.map(({ feature, contribution }) => [feature, contribution] as const);
  return { priority: score, contributions: terms, ...(bias !== 0 && { bias }), ...(rule !== undefined && { rule }) };
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one));
}

class Rubbish extends Error {}

function orFault<T>(make: () => T): T | HookFault {
  try {
    return make();
  } catch (error) {
    if (error instanceof Rubbish) return { cause: 'rubbish', detail: error.message };
    return { cause: 'threw', detail: error instanceof Error ? `${error.name}: ${error.message}` : messageOf(error) };
  }
}

/** Links as a page may have them: a strategy without terms, or whose terms do not add up, is refused before the crawl. */
const PROBE = probe();

function probe(): LinksToScore {
  const url = 'http://example.org/' as CanonicalUrl;
  const text = (anchorText: string, score: number | null): LinkText => ({
    ...{ anchorText, context: `${anchorText} and more`, imageAlt: '', zone: 'content', tagPath: 'p a' },
    ...{ anchorScore: score, contextScore: score },
  });
  const links = [text('a page', 0.5), text('', null)].map((link) => ({ url, text: link }));
  return { referrer: { url, title: 'A page', relevance: 0.5, depth: 0, offTopicDepth: 0 }, links };
}
