import type { CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { endLeftovers, type Output } from '../../base/disk/output.ts';
import type { CorpusCard } from '../../corpus/describe/corpus-card.ts';
import { crawlFactsOf } from '../../corpus/describe/merged-facts.ts';
import { FORMAT_NAMES } from '../../corpus/formats/format-names.ts';
import type { FormatOptions } from '../../corpus/formats/output-format.ts';
import { FolderSource } from '../../corpus/harvest/folder-source.ts';
import { writeCorpus } from '../../corpus/harvest/harvest-writer.ts';
import { byteLines } from '../../corpus/records/records.ts';
import { type Withdrawal, withdrawalOf } from '../../corpus/records/withdrawals.ts';
import { omittedRow } from '../../corpus/select/omitted-row.ts';
import { withCorpusOutput } from './harvest-crawl.ts';
import { refuseChangedCorpus } from './open-corpora.ts';
import type { WithdrawalWork, WithdrawReport } from './withdraw-pages.ts';

/** Writes a corpus with the other pages and the same formats. Reads the records once more than a harvest. */
export async function withdrawFromCorpus(work: WithdrawalWork, out: string): Promise<WithdrawReport> {
  const { corpus: dir, onDamaged } = work.options;
  await endLeftovers(dir);
  const source = await FolderSource.open(dir, { versions: 'all' });
  await refuseChangedCorpus(dir, source, onDamaged);
  const withdrawing = await chosen(work, source);
  work.choice.refuseMissing(dir);
  const report = await withCorpusOutput({ ...work.options, out }, (claimed) => rewritten(work, withdrawing, out, claimed));
  return { withdrawn: withdrawing, ...report };
}

/** The chosen pages: those that the corpus has, and those that it omits. */
async function chosen({ options, choice, date }: WithdrawalWork, source: FolderSource): Promise<Withdrawal[]> {
  const found = new Map<string, Withdrawal>();
  const take = (page: { readonly id: RecordId; readonly url: CanonicalUrl }) => {
    // Of several versions, the last one names the page.
    if (choice.has(page)) found.set(page.url, withdrawalOf(page, date, options.reason));
  };
  for await (const record of source.records(options.onDamaged)) {
    take(record);
    options.signal?.throwIfAborted();
    options.progress?.({ stage: 'compare', done: found.size, total: null });
  }
  for await (const { id, url } of omittedIn(await source.omittedPath()))
    if (url !== undefined) take({ id, url } as Parameters<typeof take>[0]);
  return [...found.values()];
}

async function* omittedIn(path: string | null) {
  if (path === null) return;
  let number = 0;
  for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) yield omittedRow(line, `${path}:${++number}`);
}

async function rewritten({ options, now }: WithdrawalWork, withdrawing: readonly Withdrawal[], out: string, claimed: Output | null) {
  const { corpus: dir, urls: _, hostNames: __, ids: ___, reason: ____, force, s3Endpoint, s3Region, s3Credentials, ...shaping } = options;
  const source = await FolderSource.open(dir, { keepsColumns: true, versions: 'all', withdrawing });
  const { card } = source;
  const { outDir, card: written } = await writeCorpus(source, {
    ...shaping,
    ...chunksOf(card),
    to: { out, force, s3Endpoint, s3Region, s3Credentials, ...(claimed && { claimed }) },
    formats: FORMAT_NAMES.filter((name) => card.harvest.formats.includes(name)),
    ...NO_FILTERS,
    detectLanguage: null,
    crawl: crawlFactsOf(card),
    continues: { card, omittedPath: await source.omittedPath() },
    now,
  });
  return { outDir, card: written };
}

/** The corpus has been through its filters. */
const NO_FILTERS = { minRelevance: null, languages: [], reserved: 'include', dedupe: 'none' } as const;

const CHUNKS = /^chunks: at most (\d+) words, cut between (word|paragraph|sentence)s/;

/** Size and unit of its chunks, as the card has them in words. */
function chunksOf({ harvest: { notes = [] } }: CorpusCard): Pick<FormatOptions, 'chunk' | 'chunkBy'> {
  const [, words, unit] = notes.flatMap((note) => CHUNKS.exec(note) ?? []);
  if (unit !== 'word' && unit !== 'paragraph' && unit !== 'sentence') return {};
  return { chunk: Number(words), chunkBy: unit === 'word' ? 'words' : unit };
}
