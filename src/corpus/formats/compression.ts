import zlib from 'node:zlib';
import { UsageError } from '../../base/core/errors.ts';
import type { Compression } from './format-names.ts';

/** The first version whose `node:zlib` has Zstandard (changelog of Node 22). */
const ZSTD_NODE = '22.15';
/** Quality of 11. `npm run bench -- harvest-tables`: a harvest takes no longer than with snappy, and its file is a third smaller. */
const BROTLI_QUALITY = 4;

/** Absent before Node 22.15, and from the types of Node 20. */
const { zstdCompressSync } = zlib as typeof zlib & {
  readonly zstdCompressSync?: (bytes: Uint8Array) => Uint8Array;
};

/** A codec of the Parquet format (parquet-format, Compression.md). */
export interface Codec {
  readonly name: 'SNAPPY' | 'GZIP' | 'BROTLI' | 'ZSTD' | 'UNCOMPRESSED';
  /** null for none, and for the one that the writer has of its own. */
  readonly compress: ((bytes: Uint8Array) => Uint8Array) | null;
}

/** @throws UsageError if this Node lacks it */
export function codecOf(compression: Compression): Codec {
  switch (compression) {
    case 'snappy':
      return { name: 'SNAPPY', compress: null };
    case 'gzip':
      return { name: 'GZIP', compress: (bytes) => zlib.gzipSync(bytes) };
    case 'brotli':
      return { name: 'BROTLI', compress: brotli };
    case 'zstd':
      if (zstdCompressSync === undefined)
        throw new UsageError(`--compression zstd: needs Node ${ZSTD_NODE} or later, and this is ${process.version}; give brotli or gzip`);
      return { name: 'ZSTD', compress: zstdCompressSync };
    case 'none':
      return { name: 'UNCOMPRESSED', compress: null };
  }
}

function brotli(bytes: Uint8Array): Uint8Array {
  return zlib.brotliCompressSync(bytes, {
    params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
