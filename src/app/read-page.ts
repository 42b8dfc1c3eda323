import type { Extractor, ReadOutcome, TopicModel } from '../core/parts.ts';

/** Extract a page, judge it, and judge the words of each of its links. */
export function readPage(page: Parameters<Extractor['extract']>[0], extractor: Extractor, model: Pick<TopicModel, 'judge'>): ReadOutcome {
  const extraction = extractor.extract(page);
  const { outlinks } = extraction;
  const anchorScores = new Float32Array(outlinks.length);
  const contextScores = new Float32Array(outlinks.length);
  for (const [i, { anchorText, imageAlt, context }] of outlinks.entries()) {
    const anchor = imageAlt === '' ? anchorText : `${anchorText} ${imageAlt}`;
    anchorScores[i] = model.judge({ title: '', text: anchor });
    contextScores[i] = context === '' ? (anchorScores[i] ?? 0) : model.judge({ title: '', text: `${anchor} ${context}` });
  }
  return { kind: 'read', extraction, relevance: model.judge(extraction), anchorScores, contextScores };
}
