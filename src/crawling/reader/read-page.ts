import type { Extractor, LinkJudgement, ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { LinkHashes, Outlink } from '../../base/core/types.ts';
import { simhash } from '../../base/text/simhash.ts';
import { blockVotes } from '../../reading/extract/block-votes.ts';
import { judgeWords } from '../../reading/links/link-words.ts';
import type { Committee } from '../../reading/topic/committee.ts';
import type { PageReading } from './page-reading.ts';

/** Extracts a page, judges it, and judges the words of its links if asked to. The core judges most pages and links, JavaScript the rest, with equal results. */
export function readPage(page: Parameters<Extractor['extract']>[0], reading: PageReading): Extract<ReadOutcome, { kind: 'read' }> {
  const { extractor, committee, judgement, hashing, languageOf, core } = reading;
  const { extraction: whole, layout } = extractor.extractWithLayout(page);
  const { outlinks, ...extraction } = whole;
  const votes = layout === null || whole.wall !== undefined ? null : blockVotes(layout.content, layout.chosen, layout.others);
  const judged = { ...extraction, url: page.url, lang: languageOf(extraction) };
  core?.open(judged, layout);
  const scores = core?.judgeLinks(outlinks, judgement) ?? null;
  const hashed = hashing === null ? null : (core?.hashLinks(outlinks) ?? null);
  const links = outlinks.map((outlink, i) =>
    readLink(
      outlink,
      scores?.[i] ?? scoresOf(outlink, committee, judgement),
      hashing === null ? null : (hashed?.[i] ?? hashing.hashesOf(outlink.url, outlink)),
    ),
  );
  // The words of a wall are about logins or cookies, not about the topic.
  const isWall = extraction.wall !== undefined;
  const relevance = isWall ? committee.ofNone() : (core?.judge(judged) ?? committee.judge(judged));
  const excluded = !isWall && committee.excludes(judged, relevance);
  return {
    kind: 'read',
    extraction,
    links,
    ...relevance,
    ...(excluded && { excluded }),
    simhash: core?.simhash() ?? simhash(extraction.text),
    ...(votes && { votes }),
  };
}

type Scores = Pick<ReadLink['text'], 'anchorScore' | 'contextScore'>;

function scoresOf(outlink: Outlink, committee: Committee, judgement: LinkJudgement): Scores {
  return judgeWords(outlink, committee, { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' });
}

function readLink(
  { url, anchorText, imageAlt, context, zone, tagPath }: Outlink,
  { anchorScore, contextScore }: Scores,
  hashes: LinkHashes | null,
): ReadLink {
  // Field by field: spreads take 2 µs a link.
  if (hashes === null) return { url, text: { anchorText, context, imageAlt, zone, tagPath, anchorScore, contextScore } };
  return { url, text: { anchorText, context, imageAlt, zone, tagPath, anchorScore, contextScore, hashes } };
}
