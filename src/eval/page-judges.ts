/** Who says which pages of a frozen web are on topic. */
import { isOnTopic } from '../core/on-topic.ts';
import type { FrozenWeb } from '../corpus/frozen-web.ts';
import type { Guide } from './guide.ts';

/** The truth that strategies are measured by. */
export interface Judge {
  /** As a table says it: `labels.csv`, `model moss (3f2a…)`. */
  readonly name: string;
  /** 1 where on topic; shape [URLs]. Examples that trained the guide are never on topic: finding them is no merit. */
  readonly onTopic: Uint8Array;
}

/** @param labels URL to whether it is on topic; a page nobody labelled is off topic */
export function judgeByLabels(name: string, web: FrozenWeb, labels: ReadonlyMap<string, boolean>, examples: ReadonlySet<string>): Judge {
  const verdict = (url: string, i: number) => labels.get(url) === true && !examples.has(url) && web.visit(i).kind === 'page';
  return { name, onTopic: Uint8Array.from(web.urls, (url, i) => Number(verdict(url, i))) };
}

/** @param judge another model than the one that guides, unless the user said so */
export function judgeByModel(name: string, web: FrozenWeb, judge: Guide, examples: ReadonlySet<string>): Judge {
  const verdict = (url: string, i: number) => !examples.has(url) && isOnTopic(judge.relevance(i), judge.model.threshold);
  return { name, onTopic: Uint8Array.from(web.urls, (url, i) => Number(verdict(url, i))) };
}
