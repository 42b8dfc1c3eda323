/** Reads the ids in Parquet files. */
import { open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import { DECOMPRESSORS } from './compression.ts';

/** Ids of the pages of all files with such a name, in the order of the names. Needs the memory of one row group's ids. @throws DataError */
export async function* idsInParquet(dir: string, name: RegExp): AsyncGenerator<string | null> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const names = (await readdir(dir, { recursive: true })).map((one) => one.split(sep).join('/')).filter((one) => name.test(one));
  for (const one of names.sort()) {
    const path = join(dir, one);
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const file = {
        byteLength: size,
        slice: async (start: number, end = size): Promise<ArrayBuffer> => {
          const bytes = new Uint8Array(new ArrayBuffer(Math.max(0, Math.min(end, size) - start)));
          await handle.read(bytes, 0, bytes.length, start);
          return bytes.buffer;
        },
      };
      const metadata = await parquetMetadataAsync(file);
      // An id takes more than a byte. A damaged number of rows is not worth the memory for them.
      if (metadata.row_groups.some(({ num_rows }) => num_rows > size)) throw new Error('it has more rows than bytes');
      let rowStart = 0;
      for (const { num_rows } of metadata.row_groups) {
        const rowEnd = rowStart + Number(num_rows);
        const rows = await parquetReadObjects({ file, metadata, columns: ['id'], rowStart, rowEnd, compressors: DECOMPRESSORS });
        for (const { id } of rows) yield typeof id === 'string' ? id : null;
        rowStart = rowEnd;
      }
    } catch (error) {
      throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
    } finally {
      await handle.close();
    }
  }
}
