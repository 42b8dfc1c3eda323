import { createHash } from 'node:crypto';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Unit } from '../../base/core/types.ts';
import { VERSION } from '../../base/core/version.ts';
import type { Output } from '../../base/disk/output.ts';
import { CHECKSUMS_FILE, PAIRS_CARD_FILE, WITHDRAWN_FILE } from '../../base/disk/own-names.ts';
import { languageDetector } from '../../base/text/language.ts';
import { checksumLines } from '../describe/descriptions/checksums.ts';
import type { PairFormatName } from '../formats/format-names.ts';
import { HarvestFolder } from '../formats/harvest-folder.ts';
import type { CrawlFacts } from '../select/crawl-facts.ts';
import type { SplitPart } from '../select/harvested-page.ts';
import { jsonOf } from '../select/json-line.ts';
import type { StoredSource } from '../select/stored-source.ts';
import { alignedPagesIn, alignPages } from './aligned-pages.ts';
import { type ChosenPairs, choosePairs } from './chosen-pairs.ts';
import { DEFAULT_SEED, dividedPages, type SplitPages } from './pair-split.ts';
import { type PairedFacts, type PairingOptions, pairPages } from './paired-pages.ts';
import { type PairsCard, pairsCard } from './pairs-card.ts';
import { PairsFiles } from './pairs-files.ts';
import { pairsMarkdown } from './pairs-markdown.ts';
import { PairsTally } from './pairs-tally.ts';
import { PairsWork } from './pairs-work.ts';

export interface PairsProgress {
  readonly stage: 'pages' | 'pair' | 'align' | 'learn' | 'score' | 'compare' | 'split' | 'write';
  /** Pages for `pages`, pages of the left language for `pair`, and otherwise page pairs. */
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

export interface PairsWriting extends Omit<PairingOptions, 'detect'> {
  readonly output: Output;
  readonly formats: readonly PairFormatName[];
  readonly minScore: Unit;
  /** Parts of a split in percent. Absent without a split. */
  readonly split?: readonly number[];
  readonly rngSeed?: number;
  readonly crawl: CrawlFacts;
  readonly progress?: (progress: PairsProgress) => void;
  /** Ends the work with the reason of the signal; it can be continued. */
  readonly signal?: AbortSignal;
}

export interface PairsReport {
  readonly outDir: string;
  readonly card: PairsCard;
}

type Tell = (stage: PairsProgress['stage'], done: number, total: number | null) => void;

/**
 * Writes the sentence pairs of a corpus. The work on each page pair is kept beside the output until all is written: a command that was stopped continues it, and
 * writes the same bytes as one that was not.
 * @throws UsageError about the place; DataError about the source; StoreError; the reason of the signal
 */
export async function writePairs(options: PairsWriting): Promise<PairsReport> {
  const { output, source, langs, minScore } = options;
  const detect = await languageDetector();
  const folder = await HarvestFolder.in(output, source.dirs);
  try {
    const work = PairsWork.open(folder.target, fingerprintOf(options), options.now);
    const tell: Tell = (stage, done, total) => {
      options.signal?.throwIfAborted();
      options.progress?.({ stage, done, total });
    };
    const paired = await pairPages(
      work,
      { ...options, detect },
      { onPage: (done) => tell('pages', done, null), onLeftPage: (done, total) => tell('pair', done, total) },
    );
    const { pagePairs } = paired;
    await turnOfLoop();
    const learned = await alignPages(work, { source, langs, detect, pagePairs, onPair: tell });
    const chosen = await choosePairs(work, minScore, (done) => tell('compare', done, 2 * pagePairs));
    const card = await written(work, folder, { ...options, now: work.at, paired, learned, chosen, tell });
    await folder.publish(() => work.end());
    return { outDir: folder.target, card };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** Fingerprint of the options that page pairs and their alignment depend on. The work itself knows which pages it read. */
function fingerprintOf({ source, langs, reserved, obey, minRelevance }: PairsWriting): string {
  const facts = { VERSION, withdrawn: source.withdrawals.lines(), langs, reserved, obey, minRelevance };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

interface Chosen extends PairsWriting {
  readonly paired: PairedFacts;
  readonly learned: number;
  readonly chosen: ChosenPairs;
  readonly tell: Tell;
}

async function written(work: PairsWork, folder: HarvestFolder, options: Chosen): Promise<PairsCard> {
  const { source, chosen, paired, tell, split, rngSeed = DEFAULT_SEED, langs, formats, crawl, now } = options;
  const onWork = () => tell('split', 0, null);
  const parts = split && (await dividedPages(chosenPages(work, source, chosen), { split, rngSeed, scratchDir: folder.scratchDir, onWork }));
  const files = await PairsFiles.open({ folder, langs, hasSplit: parts !== undefined, crawl, now }, formats);
  const tally = new PairsTally();
  let [number, withPairs] = [0, 0];
  for await (const pages of alignedPagesIn(work)) {
    const isWritten = chosen.keptOf(number) > 0;
    const part: SplitPart | null = isWritten ? (parts?.[withPairs++] ?? null) : null;
    const counts = tally.add(pages, number, chosen, part);
    await files.write(pages, counts, isWritten ? { source, isKept: isKeptOf(chosen, number), part } : null);
    tell('write', ++number, paired.pagePairs);
  }
  await files.finish(work.path('pagesTable'));
  if (source.withdrawals.size > 0) {
    await (await folder.file(WITHDRAWN_FILE)).write(source.withdrawals.lines());
    await folder.finish(WITHDRAWN_FILE);
  }
  const card = pairsCard({
    at: new Date(now).toISOString(),
    software: `forager/${VERSION}`,
    languages: langs,
    topic: { name: crawl.topicName, modelId: crawl.modelId },
    formats,
    minScore: options.minScore,
    paired,
    learned: options.learned,
    tally,
    ...(split && { shares: split, rngSeed }),
    files: folder.files,
  });
  work.finish(await describe(folder, card));
  return card;
}

function isKeptOf(chosen: ChosenPairs, pagePair: number): (bead: number) => boolean {
  return (bead) => chosen.dropped(pagePair, bead) === null;
}

/** The page pairs with sentence pairs. */
async function* chosenPages(work: PairsWork, source: StoredSource, chosen: ChosenPairs): AsyncGenerator<SplitPages> {
  let number = 0;
  for await (const { left, right } of alignedPagesIn(work)) {
    const size = chosen.keptOf(number++);
    if (size > 0) yield { left: source.recordAt(left.place), right: source.recordAt(right.place), size };
  }
}

/** @returns the card as a file */
async function describe(folder: HarvestFolder, card: PairsCard): Promise<Uint8Array> {
  const described: { readonly name: string; readonly sha256: string }[] = [];
  const write = async (name: string, bytes: Uint8Array) => {
    await folder.write(name, bytes);
    described.push({ name, sha256: createHash('sha256').update(bytes).digest('hex') });
  };
  const file = Buffer.from(`${jsonOf(card, 2)}\n`);
  await write(PAIRS_CARD_FILE, file);
  await write('README.md', Buffer.from(pairsMarkdown(card)));
  await write(CHECKSUMS_FILE, Buffer.from(checksumLines([...card.files, ...described])));
  return file;
}
