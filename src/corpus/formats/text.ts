import { createHash } from 'node:crypto';
import type { Bytes, Topic } from '../../base/core/types.ts';
import { tsvLine } from '../../base/text/table-cells.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import { type FormatFacts, type FormatWriter, NO_FACTS, type OutputFormat } from './output-format.ts';
import { textFileName } from './page-names.ts';

const INDEX = 'text/index.tsv';

export const plainText = {
  name: 'text',
  help: 'text/*.txt, one file a page, with text/index.tsv',
  copies: false,
  async open({ folder, crawl: { topics = [] } }): Promise<FormatWriter> {
    const index = await folder.file(INDEX);
    const columns = topics.map(({ name }) => `relevance:${name}`);
    await index.write(tsvLine(['file', 'url', 'title', 'lang', 'relevance', 'fetchedAt', 'sha256', 'id', ...columns]));
    return new TextWriter(folder, index, topics);
  },
} as const satisfies OutputFormat;

class TextWriter implements FormatWriter {
  readonly #folder: HarvestFolder;
  readonly #index: HashedFile;
  /** The relevance to each of them has its own column. */
  readonly #topics: readonly Topic[];
  #count = 0;
  #bytes: Bytes = 0;

  constructor(folder: HarvestFolder, index: HashedFile, topics: readonly Topic[]) {
    this.#folder = folder;
    this.#index = index;
    this.#topics = topics;
  }

  /** Writes the page, or a version of it, to a file of its own. */
  async write(record: HarvestedPage): Promise<void> {
    const name = textFileName(record);
    const bytes = Buffer.from(`${record.text}\n`);
    await this.#folder.write(`text/${name}`, bytes);
    this.#count++;
    this.#bytes += bytes.length;
    const relevances = this.#topics.map(({ id }) => String(record.topics?.find(({ modelId }) => modelId === id)?.relevance ?? ''));
    const cells = [name, record.url, record.title, record.lang, String(record.relevance), record.fetchedAt, sha256(bytes), record.id];
    await this.#index.write(tsvLine([...cells, ...relevances]));
  }

  async finish(): Promise<FormatFacts> {
    await this.#folder.finish(INDEX);
    return { ...NO_FACTS, textFiles: { count: this.#count, bytes: this.#bytes } };
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
