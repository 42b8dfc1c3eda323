/** The interface of a format of sentence pairs: one object in one file. `pair-formats.ts` lists them. */
import type { Compression } from '../formats/format-names.ts';
import type { HarvestFolder } from '../formats/harvest-folder.ts';
import type { HarvestContext } from '../formats/output-format.ts';
import type { SentencePair } from './sentence-pair.ts';

/** The folder and the pairs to write. */
export interface PairsContext extends Pick<HarvestContext, 'crawl' | 'now'> {
  readonly folder: HarvestFolder;
  readonly langs: readonly [string, string];
  readonly hasSplit: boolean;
  readonly compression?: Compression;
}

export interface PairWriter {
  /** Called for each pair, in their order. @throws StoreError */
  write(pair: SentencePair): Promise<void>;
  /** Called after all pairs: lists the file. @throws StoreError */
  finish(): Promise<void>;
}

export interface PairFormat<Name extends string = string> {
  readonly name: Name;
  /** Output of the format, in one line. */
  readonly help: string;
  /** @throws StoreError */
  open(output: PairsContext): Promise<PairWriter>;
}
