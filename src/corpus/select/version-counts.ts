/** Counts for the card: pages of a corpus that has all their versions, and pages that are gone. */
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import type { HarvestedPage } from './harvested-page.ts';

export interface VersionFigures {
  /** Number of pages, of which each record is a version. Absent unless the corpus has all versions. */
  readonly versionedPages?: number;
  /** Pages whose URLs gave no page when they were last requested. Absent without any. */
  readonly gone?: number;
}

/** Memory: some 16 bytes a page if the corpus has all versions, otherwise none. */
export class VersionCounts {
  readonly #pages = new UrlNumbers();
  #gone = 0;

  add({ url, version, gone }: Pick<HarvestedPage, 'url' | 'version' | 'gone'>): void {
    if (version !== undefined) this.#pages.of(url);
    if (gone !== undefined) this.#gone += 1;
  }

  figures(): VersionFigures {
    return { ...(this.#pages.size > 0 && { versionedPages: this.#pages.size }), ...(this.#gone > 0 && { gone: this.#gone }) };
  }
}
