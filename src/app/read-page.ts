import type { Extractor, LinkJudgement, ReadLink, ReadOutcome, TopicModel } from '../core/parts.ts';
import type { Outlink } from '../core/types.ts';

/** Extract a page, judge it, and judge the words of its links as far as they are asked for. */
export function readPage(
  page: Parameters<Extractor['extract']>[0],
  extractor: Extractor,
  model: Pick<TopicModel, 'judge'>,
  judgement: LinkJudgement,
): Extract<ReadOutcome, { kind: 'read' }> {
  const { outlinks, ...extraction } = extractor.extract(page);
  const links = outlinks.map((outlink) => readLink(outlink, model, judgement));
  return { kind: 'read', extraction, links, relevance: model.judge(extraction) };
}

function readLink(
  { url, anchorText, imageAlt, context, zone, tagPath }: Outlink,
  model: Pick<TopicModel, 'judge'>,
  judgement: LinkJudgement,
): ReadLink {
  const anchor = imageAlt === '' ? anchorText : `${anchorText} ${imageAlt}`;
  const scoreOf = (text: string) => model.judge({ title: '', text });
  const anchorScore = judgement === 'anchor-and-context' ? scoreOf(anchor) : null;
  const contextScore = judgement === 'none' ? null : scoreOf(context === '' ? anchor : `${anchor} ${context}`);
  return { url, text: { anchorText, context, imageAlt, zone, tagPath, anchorScore, contextScore } };
}
