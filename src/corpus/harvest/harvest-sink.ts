/** The interface of a place that a harvest is written to: one object in one file of `sinks/`. `harvest-sinks.ts` lists them. */
import type { Bytes, EpochMs } from '../../base/core/types.ts';
import type { Output } from '../../base/disk/output.ts';
import type { HarvestFolder } from '../formats/harvest-folder.ts';
import type { BucketAccess } from '../object-store/open-bucket.ts';

/** The place of a corpus, and the options of single sinks. */
export interface SinkOptions extends Pick<BucketAccess, 's3Endpoint' | 's3Region' | 's3Credentials'> {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly out: string;
  /** The folder at `out`, if it is claimed already. */
  readonly claimed?: Output | undefined;
  /** An earlier harvest at `out` may be replaced. Default: false. */
  readonly force?: boolean | undefined;
  /** Larger files are sent in parts of this size. Default 16 MB; a store takes no less than 5 MB (Amazon S3 User Guide, “Multipart upload limits”). */
  readonly s3PartBytes?: Bytes;
}

export interface SinkContext extends SinkOptions {
  /** The folders that the pages are read from. Output must not replace them. */
  readonly sources: readonly string[];
  readonly now: EpochMs;
  /** Equal for two harvests that write the same pages in the same way. */
  readonly fingerprint: string;
  readonly signal?: AbortSignal | undefined;
}

/** The place of one harvest. */
export interface OpenSink {
  /** Folder in which the files are written before they are published. */
  readonly folder: HarvestFolder;
  /** Name of the place for people. */
  readonly place: string;
  /** Would it replace an earlier harvest that has pages? */
  readonly replacesPages: boolean;
  /** Time of the harvest: that of an interrupted one that this one continues, otherwise now. */
  readonly now: EpochMs;
  /** Makes the corpus visible, whole. Called once, after all files are written. @throws StoreError, EnvironmentError */
  publish(onBytes: (done: Bytes, total: Bytes) => void): Promise<void>;
  /** Removes the temporary files. Called once if the harvest fails. */
  discard(): Promise<void>;
}

export interface HarvestSink {
  readonly name: string;
  /** The form of `--out` for it, in one line. */
  readonly help: string;
  takes(out: string): boolean;
  /** @throws UsageError if the place has something else or a needed option is missing; StoreError, EnvironmentError */
  open(context: SinkContext): Promise<OpenSink>;
}
