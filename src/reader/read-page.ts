import type { Extractor, LinkJudgement, ReadLink, ReadOutcome } from '../core/parts/reading.ts';
import type { Outlink } from '../core/types.ts';
import { judgeWords } from '../links/link-words.ts';
import { simhash } from '../text/simhash.ts';
import type { Committee } from '../topic/committee.ts';
import type { PageLanguage } from './page-language.ts';

/** Extracts a page, judges it, and judges the words of its links if asked to. */
export function readPage(
  page: Parameters<Extractor['extract']>[0],
  extractor: Extractor,
  committee: Committee,
  judgement: LinkJudgement,
  languageOf: PageLanguage,
): Extract<ReadOutcome, { kind: 'read' }> {
  const { outlinks, ...extraction } = extractor.extract(page);
  const links = outlinks.map((outlink) => readLink(outlink, committee, judgement));
  const judged = committee.judge({ ...extraction, url: page.url, lang: languageOf(extraction) });
  return { kind: 'read', extraction, links, ...judged, simhash: simhash(extraction.text) };
}

function readLink(
  { url, anchorText, imageAlt, context, zone, tagPath }: Outlink,
  committee: Committee,
  judgement: LinkJudgement,
): ReadLink {
  const wanted = { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' };
  const { anchorScore, contextScore } = judgeWords({ anchorText, context, imageAlt }, committee, wanted);
  // Field by field: spreads take 2 µs a link.
  return { url, text: { anchorText, context, imageAlt, zone, tagPath, anchorScore, contextScore } };
}
