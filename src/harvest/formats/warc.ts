import { copyWarcRecords } from '../harvest-warc.ts';
import { NO_FACTS, type OutputFormat } from '../output-format.ts';

/** Records are copied when all ids are known, in one pass over the crawl's files. */
export const warc = {
  name: 'warc',
  help: 'corpus-00000.warc.gz and on: the responses with their requests and metadata, as the crawl stored them',
  copies: true,
  async open({ folder, crawl, source, expected, onDamaged, now, maxWarcBytes, onCopied }) {
    const ids = new Set<string>();
    const description = `Harvest of the crawl “${crawl.topicName}”: chosen pages, copied with their requests and metadata`;
    const info = { software: crawl.software, robots: crawl.robots, description, userAgent: crawl.userAgent };
    const urls = expected && { urls: expected };
    const copy = { source, ids, ...urls, info, at: now, maxWarcBytes, onPage: onCopied, onDamaged };
    return {
      write: async ({ id }) => void ids.add(id),
      finish: async () => ({ ...NO_FACTS, lost: await copyWarcRecords(copy, folder) }),
    };
  },
} as const satisfies OutputFormat;
