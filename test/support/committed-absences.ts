/** Absences of pages, added to a crawl at rest as a run adds them: one commit of frontier and corpus. */
import type { Absence } from '../../src/base/core/types.ts';
import { FileCorpusWriter } from '../../src/corpus/records/corpus-writer.ts';
import { crawlPaths, readManifest, rejudgedBy } from '../../src/crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf } from '../../src/crawling/crawl-dir/crawl-parts.ts';
import { openLmdbFrontier } from '../../src/crawling/frontier/frontier.ts';

const INFO = { software: 'test', robots: 'obey', description: 'absences', userAgent: null } as const;

export async function commitAbsences(dir: string, absences: readonly Absence[]): Promise<void> {
  const [paths, manifest] = [crawlPaths(dir), readManifest(dir)];
  const frontier = openLmdbFrontier(paths.frontier, frontierOptionsOf(manifest), rejudgedBy(manifest));
  try {
    const last = frontier.lastCommit();
    const writer = await FileCorpusWriter.open(paths.corpus, last, INFO, manifest.id === null ? {} : { crawl: manifest.id });
    for (const absence of absences) writer.append({ kind: 'absence', absence });
    await frontier.commit(writer.offsets(), writer.flush((last?.number ?? 0) + 1));
    await writer.close();
  } finally {
    await frontier.close();
  }
}
