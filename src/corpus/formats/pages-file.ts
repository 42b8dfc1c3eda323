import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import { type FormatWriter, NO_FACTS } from './output-format.ts';

/** A format that is one file, to which each page is added. @throws StoreError */
export async function pagesFile(
  folder: HarvestFolder,
  name: string,
  write: (file: HashedFile, page: HarvestedPage) => Promise<void>,
): Promise<FormatWriter> {
  const file = await folder.file(name);
  return {
    write: (page) => write(file, page),
    finish: async () => {
      await folder.finish(name);
      return NO_FACTS;
    },
  };
}
