import type { CorpusRecord } from '../../base/core/types.ts';
import { withoutMail } from '../personal/mail-urls.ts';
import type { Omission } from '../select/harvest-selection.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import { jsonLine } from '../select/json-line.ts';
import type { HarvestFolder } from './harvest-folder.ts';

/** The pages that the crawl kept and this corpus lacks: one line of JSON each, with id, URL, reason and the facts behind it, in the order of the records. A page that was taken back has a digest in place of its URL. */
export const OMITTED_FILE = 'left-out.jsonl';

export class OmittedFile {
  readonly #folder: HarvestFolder;
  readonly #file: HashedFile;

  readonly #masks: boolean;

  private constructor(folder: HarvestFolder, file: HashedFile, masks: boolean) {
    this.#folder = folder;
    this.#file = file;
    this.#masks = masks;
  }

  /** @param masks does the corpus have no personal data? Then the file quotes no mail address of a URL. @throws StoreError */
  static async open(folder: HarvestFolder, masks = false): Promise<OmittedFile> {
    return new OmittedFile(folder, await folder.file(OMITTED_FILE), masks);
  }

  /** @throws StoreError */
  async write({ id, url }: CorpusRecord, { reason, grounds }: Omission): Promise<void> {
    await this.#file.write(
      jsonLine({ id, ...(reason !== 'withdrawn' && { url: this.#masks ? withoutMail(url) : url }), reason, ...grounds }),
    );
  }

  /** A line of an earlier corpus. @throws StoreError */
  async copy(line: string): Promise<void> {
    await this.#file.write(line);
  }

  /** @throws StoreError */
  async finish(): Promise<void> {
    await this.#folder.finish(OMITTED_FILE);
  }
}
