/** Several corpora read as one. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord, IsoTime, RecordId, Unit } from '../../base/core/types.ts';
import type { ReservationFiles } from '../records/reservation-files.ts';
import { Withdrawals } from '../records/withdrawals.ts';
import type { CorpusSource, WarcFile } from './corpus-source.ts';
import { CorpusVersion } from './corpus-version.ts';
import type { HarvestedPage } from './harvested-page.ts';

/** One of the corpora. */
export interface MergedPart {
  /** Name of the part in the column `corpus`. */
  readonly name: string;
  readonly source: CorpusSource;
  /** Pages below it are omitted; null for none. */
  readonly minRelevance: Unit | null;
}

/** A part that has been read once. */
export interface ReadPart extends MergedPart {
  readonly version: string;
  /** Pages of the part. */
  readonly pages: number;
}

/** The newest version of a page, and the parts that have it. */
interface Newest {
  fetchedAt: IsoTime;
  id: RecordId;
  parts: number[];
}

/**
 * The newest version of each URL of several corpora; of two of the same time, the one with the greater id. The parts are sorted by their version, then by
 * name, so that the order in which they are given makes no difference. Memory: some 300 bytes for each URL.
 */
export class MergedSource implements CorpusSource {
  /** Parts in the order of reading. */
  readonly parts: readonly ReadPart[];
  /** The part that supplies the page of a URL, and the id of its version. */
  readonly #withdrawals: Withdrawals;
  readonly #chosen: ReadonlyMap<CanonicalUrl, { readonly id: RecordId; readonly part: number }>;

  private constructor(parts: readonly ReadPart[], chosen: ReadonlyMap<CanonicalUrl, { readonly id: RecordId; readonly part: number }>) {
    this.parts = parts;
    this.#chosen = chosen;
    this.#withdrawals = parts.reduce((all, { source }) => all.with(source.withdrawals), new Withdrawals());
  }

  /** Reads the records of all parts once. @param onPage receives the number of records. @throws DataError */
  static async open(given: readonly MergedPart[], onPage: (done: number) => void, onDamaged?: OnDamaged): Promise<MergedSource> {
    const newest = new Map<CanonicalUrl, Newest>();
    const read: ReadPart[] = [];
    let done = 0;
    for (const [number, part] of given.entries()) {
      const version = new CorpusVersion();
      for await (const record of recordsOf(part, onDamaged)) {
        version.add(record.id);
        note(newest, record, number);
        onPage(++done);
      }
      read.push({ ...part, pages: version.pages, version: version.digest() });
    }
    const order = [...read.keys()].sort((a, b) => compareParts(read[a] as ReadPart, read[b] as ReadPart));
    const places = new Map(order.map((number, place) => [number, place]));
    const chosen = new Map<CanonicalUrl, { readonly id: RecordId; readonly part: number }>();
    for (const [url, { id, parts }] of newest) chosen.set(url, { id, part: Math.min(...parts.map((number) => places.get(number) ?? 0)) });
    return new MergedSource(
      order.map((number) => read[number] as ReadPart),
      chosen,
    );
  }

  /** A page that one part has taken back is taken back from all. */
  get withdrawals(): Withdrawals {
    return this.#withdrawals;
  }

  get dir(): string {
    return this.dirs.join(', ');
  }

  get dirs(): readonly string[] {
    return this.parts.flatMap(({ source }) => source.dirs);
  }

  /** The reservations of a host that one part knows apply to the pages of all. */
  get reservations(): Pick<ReservationFiles, 'knows' | 'present'> {
    const all = this.parts.map(({ source }) => source.reservations);
    return {
      knows: (url) => all.some((files) => files.knows(url)),
      present: (record) => all.reduce((presented, files) => files.present(presented), record),
    };
  }

  async *records(onDamaged?: OnDamaged): AsyncGenerator<CorpusRecord & Pick<HarvestedPage, 'corpus'>> {
    const { reservations } = this;
    for (const [place, part] of this.parts.entries())
      for await (const record of recordsOf(part, onDamaged)) {
        const chosen = this.#chosen.get(record.url);
        if (chosen?.id !== record.id || chosen.part !== place) continue;
        yield { ...reservations.present(record), corpus: originOf(record) ?? part.name };
      }
  }

  partOf(url: CanonicalUrl): string | null {
    const chosen = this.#chosen.get(url);
    return (chosen && this.parts[chosen.part]?.name) ?? null;
  }

  async warcFiles(): Promise<readonly WarcFile[]> {
    return (await Promise.all(this.parts.map(({ source }) => source.warcFiles()))).flat();
  }
}

async function* recordsOf({ source, minRelevance }: MergedPart, onDamaged?: OnDamaged): AsyncGenerator<CorpusRecord> {
  for await (const record of source.records(onDamaged)) if (minRelevance === null || record.relevance >= minRelevance) yield record;
}

function note(newest: Map<CanonicalUrl, Newest>, { url, id, fetchedAt }: CorpusRecord, part: number): void {
  const known = newest.get(url);
  if (known === undefined) newest.set(url, { fetchedAt, id, parts: [part] });
  else if (known.id === id) known.parts.push(part);
  else if (fetchedAt > known.fetchedAt || (fetchedAt === known.fetchedAt && id > known.id)) {
    known.fetchedAt = fetchedAt;
    known.id = id;
    known.parts = [part];
  }
}

function compareParts(a: ReadPart, b: ReadPart): number {
  if (a.version !== b.version) return a.version < b.version ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

/** A page of a corpus that was merged itself keeps its origin. */
function originOf(record: CorpusRecord & Pick<HarvestedPage, 'corpus'>): string | null {
  return typeof record.corpus === 'string' ? record.corpus : null;
}
