/** The links of the pages that a harvest selects, for the formats that want them. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord, RecordId } from '../../base/core/types.ts';
import type { HarvestFormat } from '../formats/format-names.ts';
import type { HarvestFolder } from '../formats/harvest-folder.ts';
import { LINKS_FILE } from '../formats/link-rows.ts';
import type { OutputFormat } from '../formats/output-format.ts';
import { OUTPUT_FORMATS } from '../formats/output-formats.ts';
import { isMasked } from '../personal/personal-names.ts';
import type { CorpusLinks } from '../select/corpus-links.ts';
import type { CorpusSource } from '../select/corpus-source.ts';
import type { FilterOptions } from '../select/harvest-filter.ts';
import type { Selection } from '../select/harvest-selection.ts';
import { PackedIds } from '../select/packed-ids.ts';
import { PackedStrings } from '../select/packed-strings.ts';

/** The strongest wish of the formats. */
export function linksFor(formats: readonly HarvestFormat[]): 'needed' | 'used' | null {
  const wishes = OUTPUT_FORMATS.flatMap((format: OutputFormat) =>
    formats.some((name) => name === format.name) ? (format.links ?? []) : [],
  );
  return wishes.includes('needed') ? 'needed' : (wishes[0] ?? null);
}

/** The pages among which a harvest selects those whose links it reads. */
export class LinkCandidates {
  readonly #wanted: boolean;
  #ids = new PackedIds();
  #urls = new PackedStrings();

  constructor(wanted: boolean) {
    this.#wanted = wanted;
  }

  async *noted(records: AsyncIterable<CorpusRecord>): AsyncGenerator<CorpusRecord> {
    for await (const record of records) {
      if (this.#wanted) {
        this.#ids.add(record.id);
        this.#urls.add(record.url);
      }
      yield record;
    }
  }

  /** Called once: it forgets all afterwards. */
  *pages(isIn: (ordinal: number) => boolean): Generator<Pick<CorpusRecord, 'id' | 'url'>> {
    const [ids, urls] = [this.#ids, this.#urls];
    this.#ids = new PackedIds();
    this.#urls = new PackedStrings();
    for (let page = 0; page < ids.count; page++) if (isIn(page)) yield { id: ids.at(page) as RecordId, url: urls.at(page) as CanonicalUrl };
  }
}

interface LinkOptions extends Pick<FilterOptions, 'personal'> {
  readonly onDamaged?: OnDamaged;
  readonly formats: readonly HarvestFormat[];
}

/** @returns null if the links are not needed and there are no WARC files */
export async function readLinks(
  folder: HarvestFolder,
  source: CorpusSource,
  { onDamaged, formats, personal }: LinkOptions,
  linked: 'needed' | 'used',
  selected: Iterable<Pick<CorpusRecord, 'id' | 'url'>>,
  onPage: (done: number) => void,
): Promise<CorpusLinks | null> {
  if (linked === 'used' && (await source.warcFiles()).length === 0) return null;
  // The extractor is loaded for those who ask for links.
  const { CorpusLinks, LinkedPages } = await import('../select/corpus-links.ts');
  const pages = new LinkedPages();
  for (const page of selected) pages.add(page);
  // The copy of the WARC files names damage also.
  const report = onDamaged && (formats.includes('warc') || formats.includes('wacz') ? () => undefined : onDamaged);
  return CorpusLinks.read({
    source,
    pages,
    path: folder.path(LINKS_FILE),
    onPage,
    onDamaged: report,
    masks: isMasked(personal),
  });
}

/** A selection whose pages have their rank. */
export function withRanks(selection: Selection, links: CorpusLinks | null): Selection {
  if (links === null) return selection;
  return {
    ...selection,
    columns: () => selection.columns(['pageRank']),
    present: (ordinal, record) => ({ ...selection.present(ordinal, record), pageRank: links.rankOf(record.id) }),
  };
}
