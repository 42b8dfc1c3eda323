import type { Extractor, LinkJudgement, ReadLink, ReadOutcome, TopicModel } from '../core/parts.ts';
import type { LinkText, Outlink } from '../core/types.ts';
import type { PageLanguage } from './page-language.ts';

/** Extract a page, judge it, and judge the words of its links as far as they are asked for. */
export function readPage(
  page: Parameters<Extractor['extract']>[0],
  extractor: Extractor,
  model: Pick<TopicModel, 'judge' | 'judgeText'>,
  judgement: LinkJudgement,
  languageOf: PageLanguage,
): Extract<ReadOutcome, { kind: 'read' }> {
  const { outlinks, ...extraction } = extractor.extract(page);
  const links = outlinks.map((outlink) => readLink(outlink, model, judgement));
  return { kind: 'read', extraction, links, relevance: model.judge({ ...extraction, url: page.url, lang: languageOf(extraction) }) };
}

function readLink(
  { url, anchorText, imageAlt, context, zone, tagPath }: Outlink,
  model: Pick<TopicModel, 'judgeText'>,
  judgement: LinkJudgement,
): ReadLink {
  const words = { anchorText, context, imageAlt };
  const wanted = { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' };
  return { url, text: { ...words, zone, tagPath, ...judgeWords(words, model, wanted) } };
}

/** What the page model says of the words of a link; null for what is not wanted. */
export function judgeWords(
  { anchorText, imageAlt, context }: Pick<LinkText, 'anchorText' | 'imageAlt' | 'context'>,
  model: Pick<TopicModel, 'judgeText'>,
  wanted: { readonly anchor: boolean; readonly context: boolean },
): Pick<LinkText, 'anchorScore' | 'contextScore'> {
  const anchor = imageAlt === '' ? anchorText : `${anchorText} ${imageAlt}`;
  const scoreOf = (text: string) => model.judgeText(text);
  return {
    anchorScore: wanted.anchor ? scoreOf(anchor) : null,
    contextScore: wanted.context ? scoreOf(context === '' ? anchor : `${anchor} ${context}`) : null,
  };
}
