/** Relevance of a URL that nobody has requested, by the words that somebody wrote about it and those of its path. */
import type { Unit } from '../../base/core/types.ts';
import { pathText } from './features.ts';
import type { LinearTopicModel } from './model.ts';

/** A URL with its words. */
export interface CandidateWords {
  readonly url: string;
  /** Title, or text of a link; '' without one. */
  readonly title: string;
  /** Summary, tags, folders, or text around a link. */
  readonly context?: string;
}

/** Relevance by the words, without a rule, which is about pages. A URL without any known word has the relevance of no words. */
export function judgeCandidate(model: Pick<LinearTopicModel, 'judgeText'>, candidate: CandidateWords): Unit {
  return model.judgeText(textOf(candidate));
}

/** The words that count most for a candidate, the strongest first. */
export function strongestWords(model: Pick<LinearTopicModel, 'explain'>, candidate: CandidateWords, count: number): readonly string[] {
  return model
    .explain({ title: '', text: textOf(candidate) })
    .contributions.filter(({ contribution }) => contribution > 0)
    .slice(0, count)
    .map(({ feature }) => feature);
}

function textOf({ url, title, context = '' }: CandidateWords): string {
  return `${title}\n${context}\n${pathText(url)}`;
}
