/** Judges: decide which pages of a frozen web are on topic. */
import { isOnTopic } from '../core/on-topic.ts';
import type { FrozenWeb } from '../corpus/frozen-web.ts';
import type { Guide } from './guide.ts';

/** The truth by which strategies are measured. */
export interface Judge {
  /** Its name in tables: `labels.csv`, `model moss (3f2a…)`. */
  readonly name: string;
  /** 1 for on-topic URLs; shape [URLs]. Examples that trained the guide are never on topic: finding them is no merit. */
  readonly onTopic: Uint8Array;
}

/** @param labels from URL to whether the page is on topic; a page without a label is off topic */
export function judgeByLabels(name: string, web: FrozenWeb, labels: ReadonlyMap<string, boolean>, examples: ReadonlySet<string>): Judge {
  const verdict = (url: string, i: number) => labels.get(url) === true && !examples.has(url) && web.visit(i).kind === 'page';
  return { name, onTopic: Uint8Array.from(web.urls, (url, i) => Number(verdict(url, i))) };
}

/** @param judge a model other than the guide, unless the user requested the same */
export function judgeByModel(name: string, web: FrozenWeb, judge: Guide, examples: ReadonlySet<string>): Judge {
  const verdict = (url: string, i: number) => !examples.has(url) && isOnTopic(judge.relevance(i), judge.model.threshold);
  return { name, onTopic: Uint8Array.from(web.urls, (url, i) => Number(verdict(url, i))) };
}
