/** One file with everything that a viewer of web archives needs: WACZ 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/). */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isoTime } from '../../base/core/clock.ts';
import type { Bytes } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import { jsonLine, jsonOf } from '../select/json-line.ts';
import type { WarcPass } from './harvest-warc.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS, type OutputFormat } from './output-format.ts';
import type { SortedLines } from './sorted-lines.ts';
import { type EntryFacts, type ZipEntry, ZipWriter } from './zip-writer.ts';

export const WACZ_FILE = 'corpus.wacz';
const PAGES = 'pages/pages.jsonl';
const PACKAGE = 'datapackage.json';
const INDEX_BLOCKS = 'indexes/index.idx';
/** A longer index is compressed in blocks, each with a line in `index.idx`, so that a viewer reads only the blocks that it needs. */
const PLAIN_INDEX_LINES = 10_000;
/** Lines of a block, as in pywb. */
const BLOCK_LINES = 3000;
const LINE_FEED = Buffer.from('\n');

type WaczContext = Pick<HarvestContext, 'folder' | 'warcPass' | 'crawl' | 'now' | 'waczText'>;

export const wacz = {
  name: 'wacz',
  help: 'corpus.wacz: the WARC files with index and list of pages in one file, for ReplayWeb.page',
  copies: true,
  async open(harvest: WaczContext): Promise<FormatWriter> {
    const file = await harvest.folder.file(WACZ_FILE);
    return new WaczWriter(harvest, file, await harvest.folder.scratch('wacz-pages'));
  },
} as const satisfies OutputFormat;

interface Resource {
  readonly path: string;
  readonly facts: EntryFacts;
}

class WaczWriter implements FormatWriter {
  readonly #harvest: WaczContext;
  readonly #pass: WarcPass;
  readonly #zip: ZipWriter;
  /** The list of pages waits for the WARC files: a page without a record is omitted. */
  readonly #pages: HashedFile;
  readonly #resources: Resource[] = [];
  #warc: ZipEntry | null = null;

  constructor(harvest: WaczContext, file: HashedFile, pages: HashedFile) {
    this.#harvest = harvest;
    this.#pass = harvest.warcPass;
    this.#zip = new ZipWriter((bytes) => file.write(bytes), harvest.now);
    this.#pages = pages;
    this.#pass.to({
      start: async (name) => {
        this.#warc = await this.#zip.entry(`archive/${name}`);
      },
      write: async (bytes) => this.#warc?.write(bytes),
      finish: async (name) => {
        if (this.#warc !== null) await this.#finished(`archive/${name}`, this.#warc);
      },
    });
  }

  async write(page: HarvestedPage): Promise<void> {
    this.#pass.want(page);
    const { id, url, title, fetchedAt, text } = page;
    const line = { id, url, ts: fetchedAt, title, ...(this.#harvest.waczText && { text }) };
    await this.#pages.write(jsonLine(line));
  }

  async finish(): Promise<FormatFacts> {
    await this.#pages.finish();
    const { missing, index } = await this.#pass.run();
    await this.#writePages(missing);
    if (index.count > PLAIN_INDEX_LINES) await this.#writeBlocks(index);
    else await this.#writeIndex(index);
    await this.#writePackage();
    await this.#zip.finish();
    await this.#harvest.folder.finish(WACZ_FILE);
    return { ...NO_FACTS, lost: missing.size };
  }

  async #writePages(missing: ReadonlySet<string>): Promise<void> {
    const entry = await this.#zip.entry(PAGES);
    const head = { format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: this.#harvest.waczText ?? false };
    await entry.write(Buffer.from(jsonLine(head)));
    for await (const line of byteLines(this.#pages.path, Number.POSITIVE_INFINITY)) {
      const id = idOf(line);
      if (missing.has(id)) continue;
      await entry.write(Buffer.concat([line, LINE_FEED]));
    }
    await this.#finished(PAGES, entry);
  }

  async #writeIndex(index: SortedLines): Promise<void> {
    const path = 'indexes/index.cdx';
    const entry = await this.#zip.entry(path);
    for await (const line of replayed(index)) await entry.write(Buffer.concat([line, LINE_FEED]));
    await this.#finished(path, entry);
  }

  /** ZipNum of pywb: one gzip member for each block, and a line with its place, under the key and time of its first line. */
  async #writeBlocks(index: SortedLines): Promise<void> {
    const path = 'indexes/index.cdx.gz';
    const entry = await this.#zip.entry(path);
    const filename = 'index.cdx.gz';
    const idx = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename })}\n`];
    let block: Buffer[] = [];
    const flush = async () => {
      const bytes = gzipSync(Buffer.concat(block.flatMap((line) => [line, LINE_FEED])));
      const place = { offset: entry.size, length: bytes.length, digest: hashOf(bytes), filename };
      idx.push(`${keyOf(block[0] ?? Buffer.alloc(0))} ${JSON.stringify(place)}\n`);
      block = [];
      await entry.write(bytes);
    };
    for await (const line of replayed(index)) {
      block.push(Buffer.from(line));
      if (block.length === BLOCK_LINES) await flush();
    }
    if (block.length > 0) await flush();
    await this.#finished(path, entry);
    this.#resources.push({ path: INDEX_BLOCKS, facts: await this.#zip.add(INDEX_BLOCKS, Buffer.from(idx.join(''))) });
  }

  async #writePackage(): Promise<void> {
    const { crawl, now } = this.#harvest;
    const bytes = json({
      profile: 'data-package',
      wacz_version: '1.1.1',
      title: crawl.topicName,
      description: `Harvest of the crawl “${crawl.topicName}”`,
      software: crawl.software,
      created: isoTime(now),
      resources: this.#resources.map(({ path, facts }) => ({
        name: path.slice(path.lastIndexOf('/') + 1),
        path,
        hash: `sha256:${facts.sha256}`,
        bytes: facts.bytes,
      })),
    });
    await this.#zip.add(PACKAGE, bytes);
    await this.#zip.add('datapackage-digest.json', json({ path: PACKAGE, hash: hashOf(bytes) }));
  }

  async #finished(path: string, entry: ZipEntry): Promise<void> {
    this.#resources.push({ path, facts: await entry.finish() });
  }
}

/** Part of a line of a page that had not changed, as `cdxjLine` writes it. */
const NOT_MODIFIED = '"mime":"warc/revisit","status":"304"';

/**
 * The captures that have a payload, or a digest by which a viewer finds it. ReplayWeb.page shows the newest capture of a URL, and of an answer
 * `304 Not Modified` it shows an empty page: such revisits are in the WARC files, and not in this index.
 */
async function* replayed(index: SortedLines): AsyncGenerator<Buffer> {
  for await (const line of index.lines()) if (!line.includes(NOT_MODIFIED)) yield line;
}

/** Id at the start of a line that `write` wrote. */
function idOf(line: Buffer): string {
  const start: Bytes = '{"id":"'.length;
  return line.toString('latin1', start, line.indexOf('"', start));
}

/** Key and time of a line of CDXJ. */
function keyOf(line: Buffer): string {
  return line.toString('utf8', 0, line.indexOf(' {'));
}

function json(value: object): Buffer {
  return Buffer.from(`${jsonOf(value, 2)}\n`);
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
