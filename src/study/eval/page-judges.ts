/** Judges: decide which pages of a frozen web are on topic. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import type { Guide } from './guide.ts';

/** The truth by which strategies are measured. */
export interface Judge {
  /** Name in tables: `labels.csv`, `model moss (3f2a…)`. */
  readonly name: string;
  /** 1 for on-topic URLs; shape [URLs]. Examples that trained the guide are never on topic: finding them is no merit. */
  readonly onTopic: Uint8Array;
  /** 1 for URLs that the judge finds on topic, examples included; shape [URLs]. */
  readonly relevant: Uint8Array;
}

/** @param labels from URL to whether the page is on topic; a page without a label is off topic */
export function judgeByLabels(name: string, web: FrozenWeb, labels: ReadonlyMap<string, boolean>, examples: ReadonlySet<string>): Judge {
  return judgeBy(name, web, (url, i) => labels.get(url) === true && web.visit(i).kind === 'page', examples);
}

/** @param judge a model other than the guide, unless the user requested the same */
export function judgeByModel(name: string, web: FrozenWeb, judge: Guide, examples: ReadonlySet<string>): Judge {
  return judgeBy(name, web, (_, i) => isOnTopic(judge.relevance(i), judge.model.threshold), examples);
}

function judgeBy(name: string, web: FrozenWeb, verdict: (url: string, i: number) => boolean, examples: ReadonlySet<string>): Judge {
  const relevant = Uint8Array.from(web.urls, (url, i) => Number(verdict(url, i)));
  return { name, relevant, onTopic: relevant.map((one, i) => (examples.has(web.urls[i] ?? '') ? 0 : one)) };
}
