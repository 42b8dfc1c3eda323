import type { CorpusRecord } from '../../base/core/types.ts';
import type { HarvestFormat } from '../formats/format-names.ts';
import { OmittedFile } from '../formats/omitted-file.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS } from '../formats/output-format.ts';
import { OUTPUT_FORMATS } from '../formats/output-formats.ts';
import { isMasked } from '../personal/personal-names.ts';
import { CorpusVersion } from '../select/corpus-version.ts';
import { HarvestCounts } from '../select/harvest-facts.ts';
import type { Selection } from '../select/harvest-selection.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { OmittedCounts } from './continued-corpus.ts';

/** Passes selected pages to each format. */
export class PageOutput {
  readonly counts: HarvestCounts;
  readonly version = new CorpusVersion();
  readonly #writers: readonly FormatWriter[];
  readonly #omitted: OmittedFile;
  #written = 0;

  private constructor(counts: HarvestCounts, writers: readonly FormatWriter[], omitted: OmittedFile) {
    this.counts = counts;
    this.#writers = writers;
    this.#omitted = omitted;
  }

  static async open(harvest: HarvestContext, formats: readonly HarvestFormat[]): Promise<PageOutput> {
    const writers: FormatWriter[] = [];
    const inOrder = OUTPUT_FORMATS.toSorted((a, b) => Number(a.copies) - Number(b.copies));
    for (const format of inOrder) if (formats.includes(format.name)) writers.push(await format.open(harvest));
    const omitted = await OmittedFile.open(harvest.folder, isMasked(harvest.personal));
    const counts = new HarvestCounts(({ url, corpus }) => (harvest.source.partOf ? harvest.source.partOf(url) : (corpus ?? null)));
    return new PageOutput(counts, writers, omitted);
  }

  /** Omitted pages of the corpus that this one continues. To be called before `writeAll`. @returns their number by reason */
  async writeOmitted(before: AsyncIterable<{ readonly line: string; readonly reason: string }>): Promise<OmittedCounts> {
    const counts = new Map<string, number>();
    for await (const { line, reason } of before) {
      await this.#omitted.copy(line);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  async writeAll(records: AsyncIterable<CorpusRecord>, selection: Selection, onPage: (done: number) => void): Promise<void> {
    let ordinal = 0;
    for await (const record of records) {
      const omitted = selection.leftOut(ordinal);
      if (omitted === null) await this.#write(selection.present(ordinal, record), onPage);
      else await this.#omitted.write(record, omitted);
      ordinal++;
    }
  }

  async finish(): Promise<FormatFacts> {
    let facts = NO_FACTS;
    for (const writer of this.#writers) {
      const { lost, textFiles } = await writer.finish();
      // Formats with WARC records lack the same pages.
      facts = { lost: Math.max(facts.lost, lost), textFiles: facts.textFiles ?? textFiles };
    }
    await this.#omitted.finish();
    return facts;
  }

  async #write(page: HarvestedPage, onPage: (done: number) => void): Promise<void> {
    this.counts.add(page);
    this.version.add(page.id);
    for (const writer of this.#writers) await writer.write(page);
    onPage(++this.#written);
  }
}
