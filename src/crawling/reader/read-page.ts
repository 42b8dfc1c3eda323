import type { LinkJudgement, ReadablePage, ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { LinkHashes, Outlink } from '../../base/core/types.ts';
import { simhash } from '../../base/text/simhash.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { documentKindOf } from '../../reading/documents/document-kinds.ts';
import { blockVotes } from '../../reading/extract/block-votes.ts';
import { judgeWords } from '../../reading/links/link-words.ts';
import type { Committee } from '../../reading/topic/committee.ts';
import type { PageReading } from './page-reading.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** A read page, with its links apart: they go to another thread in a form of their own. */
export interface ReadParts {
  readonly kind: 'read';
  readonly read: Omit<Read, 'links'>;
  readonly links: readonly ReadLink[];
}

/** Extracts a page, judges it, and judges the words of its links if asked to. The core judges most pages and links, JavaScript the rest, with equal results. */
export function readPage(page: ReadablePage, reading: PageReading): Read {
  return joined(readParts(page, reading));
}

function joined({ read, links }: ReadParts): Read {
  return { ...read, links };
}

function readParts(page: ReadablePage, reading: PageReading): ReadParts {
  const { extractor, committee, judgement, hashing, languageOf, core } = reading;
  const { extraction: whole, layout } = extractor.extractWithLayout(page);
  const { outlinks, ...extraction } = whole;
  // The template of a host is about its pages.
  const votes =
    layout === null || page.document !== undefined || whole.wall !== undefined
      ? null
      : blockVotes(layout.content, layout.chosen, layout.others);
  const { title, text, otherText, document } = extraction;
  const judged = { title, text, otherText, url: page.url, lang: languageOf(extraction), ...(document && { document }) };
  core?.open(judged, layout);
  // The words of a wall are about logins or cookies, not about the topic.
  const isWall = extraction.wall !== undefined;
  // Before its links: most features of theirs are then in the cache of the processor.
  const relevance = isWall ? committee.ofNone() : (core?.judge(judged) ?? committee.judge(judged));
  const scores = core?.judgeLinks(outlinks, judgement) ?? null;
  const hashed = hashing === null ? null : (core?.hashLinks(outlinks) ?? null);
  const links = outlinks.map((outlink, i) =>
    readLink(
      outlink,
      scores?.[i] ?? scoresOf(outlink, committee, judgement),
      hashing === null ? null : (hashed?.[i] ?? hashing.hashesOf(outlink.url, outlink)),
    ),
  );
  const excluded = !isWall && committee.excludes(judged, relevance);
  const steered = isWall ? null : committee.steeredAs(judged, relevance);
  const read: ReadParts['read'] = {
    kind: 'read',
    extraction,
    ...relevance,
    ...(excluded && { excluded }),
    ...(steered && { steered }),
    simhash: core?.simhash() ?? simhash(extraction.text),
    ...(votes && { votes }),
  };
  return { kind: 'read', read, links };
}

/** Reads a page as `readPage` does; a document of a kind that the crawl reads is opened first. */
export async function readAny(page: ReadablePage, reading: PageReading): Promise<ReadOutcome> {
  const outcome = await readAnyParts(page, reading);
  return outcome.kind === 'read' ? joined(outcome) : outcome;
}

/** Reads a page as `readAny` does, its links apart. */
export async function readAnyParts(page: ReadablePage, reading: PageReading): Promise<ReadParts | Exclude<ReadOutcome, Read>> {
  const { documents } = reading;
  const kind =
    documents.length === 0 ? null : documentKindOf(page.body, parseContentType(page.headers['content-type']).mime, page.url, documents);
  if (kind === null) return readParts(page, reading);
  // Its reader is loaded with the first document.
  const { openDocument } = await import('../../reading/documents/open-document.ts');
  const opened = await openDocument(page, kind);
  switch (opened.kind) {
    case 'page':
      return readParts(opened.page, reading);
    case 'refused':
      return opened;
    case 'failed':
      return { kind: 'failed', code: opened.reason, detail: opened.detail };
  }
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
