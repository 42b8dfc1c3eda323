import { CorpusDatabase, DATABASE_FILE } from '../search/corpus-database.ts';
import { hashOfFile } from '../select/hashed-file.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';

export const sqlite = {
  name: 'sqlite',
  help: 'corpus.sqlite: tables pages and links, and a full-text index for forager search',
  copies: false,
  links: 'used',
  async open({ folder, crawl, links, columns }) {
    const path = folder.path(DATABASE_FILE);
    // With the permissions of the other files: SQLite's library makes a file for its owner only.
    await folder.write(DATABASE_FILE, new Uint8Array());
    const database = await CorpusDatabase.create(path, columns);
    folder.onDiscard(() => database.close());
    return {
      write: async (page) => database.addPage(page),
      finish: async () => {
        if (links) for await (const row of links.rows()) database.addLink(row);
        database.finish({ topic: crawl.topicName, software: crawl.software, hasLinks: links ? 'yes' : 'no' });
        folder.list(DATABASE_FILE, await hashOfFile(path));
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;
