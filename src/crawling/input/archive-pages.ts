/** Pages of archives other than plain WARC files: of a WACZ, and of the records that a CDX or CDXJ names. */
import { DataError } from '../../base/core/errors.ts';
import { FileBytes } from '../../corpus/records/file-bytes.ts';
import { archiveFiles } from '../archive/archive-files.ts';
import { capturesOfIndex } from '../archive/index-lines.ts';
import { besideOf } from '../archive/read-sources.ts';
import { pagesOfWarc, type SourcePage } from './source-page.ts';

type Warn = (message: string) => void;

/** The pages in the order of the records; of an index in that of its lines. @throws DataError for a damaged file, or one that an index names and that is not beside it */
export async function* pagesOfArchive(path: string, warn: Warn = () => undefined): AsyncGenerator<SourcePage> {
  const { warcs, indexes } = await archiveFiles([path]);
  for (const place of warcs) yield* pagesOfWarc(await FileBytes.open(place.path, place.end, place.begin), warn);
  for (const index of indexes) yield* pagesOfLines(index, warn);
}

async function* pagesOfLines(index: string, warn: Warn): AsyncGenerator<SourcePage> {
  const bad = (line: number) => warn(`${index}: line ${line} has no URL, time, file and place of a record; skipped`);
  for await (const { kind, filename, offset, length } of capturesOfIndex(index, bad)) {
    if (kind !== 'response') continue;
    const place = besideOf(index, filename);
    if (place === null) throw new DataError(`${index}: names ${filename}, which is not beside it; put it there`);
    const end = length === null ? place.end : Math.min(place.end, offset + length);
    // Without a length, the record is the first of the rest.
    for await (const page of pagesOfWarc(await FileBytes.open(place.path, end, offset), warn)) {
      yield page;
      break;
    }
  }
}
