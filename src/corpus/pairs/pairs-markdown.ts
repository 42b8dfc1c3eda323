import { PAIRS_CARD_FILE } from '../../base/disk/own-names.ts';
import { markdownLine } from '../../base/text/markdown.ts';
import { percentText } from '../../base/text/number-text.ts';
import { list, rowsOf, section, textTable } from '../describe/card-tables.ts';
import { PAIR_FILTERS } from './pair-filters.ts';
import { PAGE_REASONS, type PageCounts, type PageReason } from './paired-pages.ts';
import type { PairsCard, PairsHost } from './pairs-card.ts';
import { pairColumns } from './sentence-pair.ts';

const LICENCE =
  'The texts keep the rights of their authors and publishers; these pairs grant none of them. Check the terms of each source before you share or publish them.';

/** Patterns of URLs that a reader still scans; the card has all. */
const SHOWN_PATTERNS = 50;

/** The card of sentence pairs for people. */
export function pairsMarkdown(card: PairsCard): string {
  const [left, right] = card.languages;
  return [
    `# Sentence pairs ${markdownLine(`${left}–${right}: ${card.topic.name}`)}`,
    `${card.pairs.kept} pairs of sentences from ${card.pagePairs.count} page pairs, made by ${markdownLine(card.software)} at ${card.at}. For programs: ${PAIRS_CARD_FILE}.`,
    section('By the model alone', list(card.byModelAlone)),
    section('Pages', textTable(['', 'pages'], pageRows(card))),
    section('Page pairs', textTable(['', 'page pairs'], pagePairRows(card))),
    ...(card.patterns.length === 0
      ? []
      : [section('Patterns of URLs', textTable(['left host', 'right host', 'left', 'right', 'page pairs'], patternRows(card)))]),
    section('Sentences', textTable(['', left, right], sentenceRows(card))),
    section('Sentence pairs', textTable(['', 'pairs'], pairRows(card))),
    section('Filters', textTable(['filter', 'rule'], Object.entries(card.filters))),
    section('Kinds', textTable(['sentences', 'pairs'], rowsOf(card.pairs.kinds))),
    ...splitSection(card),
    section(
      `Hosts (${card.hosts.count})`,
      textTable(['host', 'pages', 'in pairs', 'page pairs', 'sentence pairs', 'most frequent reasons'], hostRows(card)),
    ),
    section(
      'Columns',
      textTable(
        ['column', 'type', 'content'],
        pairColumns(card.split !== undefined).map(({ name, type, help }) => [name, String(type), help]),
      ),
    ),
    section(
      'Files',
      textTable(
        ['file', 'bytes', 'SHA-256'],
        card.files.map(({ name, bytes, sha256 }) => [name, String(bytes), sha256]),
      ),
    ),
    section('Licence', LICENCE),
    '',
  ].join('\n\n');
}

function pageRows({ pages }: PairsCard): string[][] {
  return [
    ['in the corpus', String(pages.read)],
    ['in pairs', String(pages.paired)],
    ...(pages.damaged > 0 ? [['places of damage that were skipped', String(pages.damaged)]] : []),
    ...Object.entries(pages.without).map(([reason, count]) => [`in no pair: ${PAGE_REASONS[reason as PageReason]}`, String(count)]),
  ];
}

function patternRows({ patterns }: PairsCard): string[][] {
  return patterns.slice(0, SHOWN_PATTERNS).map((one) => [one.leftHost, one.rightHost, one.left, one.right, String(one.pairs)]);
}

const BY: Readonly<Record<string, string>> = {
  hreflang: 'a page declares the other (hreflang)',
  url: 'by the pattern of their URLs',
  link: 'a page was found by a link of the other, and the link names the language',
  structure: 'by equal structure, numbers and names alone',
};

function pagePairRows({ pagePairs }: PairsCard): string[][] {
  return [
    ['all', String(pagePairs.count)],
    ...Object.entries(pagePairs.by).map(([by, count]) => [BY[by] ?? by, String(count)]),
    ['both pages declare each other', String(pagePairs.reciprocal)],
    ['without a sentence pair', String(pagePairs.empty)],
    ['aligned up to a limit of size only', String(pagePairs.capped)],
  ];
}

function sentenceRows({ sentences: { sentences, alone } }: PairsCard): string[][] {
  return [
    ['in page pairs', String(sentences.left), String(sentences.right)],
    ['without a partner on the other page', String(alone.left), String(alone.right)],
  ];
}

function pairRows({ pairs }: PairsCard): string[][] {
  return [
    ['aligned', String(pairs.aligned)],
    ...PAIR_FILTERS.flatMap(({ name, drops }) => (pairs.dropped[name] ? [[`dropped: ${drops}`, String(pairs.dropped[name])]] : [])),
    ['written', String(pairs.kept)],
  ];
}

function splitSection({ split, pairs }: PairsCard): string[] {
  if (split === undefined) return [];
  const rows = Object.entries(split.pairs).map(([part, count]) => [
    part,
    String(count),
    percentText(pairs.kept === 0 ? 0 : count / pairs.kept),
  ]);
  const rule = `Shares ${split.shares.join('/')}, at random with seed ${split.rngSeed}. A page pair is in one part, with those whose pages are near-duplicates of its own.`;
  return [section('Split', `${rule}\n\n${textTable(['part', 'pairs', 'share'], rows)}`)];
}

/** Reasons of a host to name. */
const NAMED_REASONS = 2;

function hostRows({ hosts }: PairsCard): string[][] {
  const rows = hosts.top.map(({ host, pages, pagePairs = 0, kept = 0 }: PairsHost) => [
    host === '' ? 'pages taken back' : host,
    String(Object.values(pages).reduce((sum, count) => sum + count, 0)),
    String(pages.paired ?? 0),
    String(pagePairs),
    String(kept),
    reasonsText(pages),
  ]);
  if (hosts.rest.hosts > 0) rows.push([`${hosts.rest.hosts} more`, '', '', '', String(hosts.rest.kept), '']);
  return rows;
}

function reasonsText(pages: PageCounts): string {
  const reasons = (Object.entries(pages) as [PageReason | 'paired', number][]).flatMap(([reason, count]) =>
    reason === 'paired' ? [] : [`${count} ${PAGE_REASONS[reason]}`],
  );
  return reasons.slice(0, NAMED_REASONS).join('; ');
}
