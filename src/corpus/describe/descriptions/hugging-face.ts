import { stringify } from 'yaml';
import { CSV_FILE } from '../../formats/csv.ts';
import { CORPUS_FILE } from '../../formats/jsonl.ts';
import { cardMarkdown } from '../card-markdown.ts';
import type { CorpusCard } from '../corpus-card.ts';
import type { Description } from '../description.ts';
import { parquetSplits } from '../publication.ts';

/** Dataset card of Hugging Face: the YAML names the files of each split, so that `load_dataset` of the folder needs nothing else. */
export const huggingFace = {
  file: 'README.md',
  help: 'dataset card of Hugging Face; load_dataset reads the folder by it',
  content({ card, publication }) {
    const { languages, title, keywords } = publication;
    const dataFiles = dataFilesOf(card);
    const head = {
      pretty_name: title,
      ...(languages.length > 0 && { language: languages }),
      license: 'other',
      license_name: 'rights-of-the-pages',
      size_categories: [sizeCategory(card.records.kept)],
      tags: keywords.map((word) => word.replaceAll(' ', '-')),
      ...(dataFiles.length > 0 && { configs: [{ config_name: 'default', data_files: dataFiles }] }),
    };
    return `---\n${stringify(head)}---\n\n${cardMarkdown(card)}`;
  },
} as const satisfies Description;

/** Data files of the format that `load_dataset` reads best; none for a corpus of WARC or text files alone. */
function dataFilesOf({ files }: CorpusCard): readonly { readonly split: string; readonly path: string }[] {
  const splits = parquetSplits(files);
  if (splits.size > 0) return [...splits.keys()].map((split) => ({ split, path: `data/${split}-*.parquet` }));
  const path = [CORPUS_FILE, CSV_FILE].find((name) => files.some((file) => file.name === name));
  return path === undefined ? [] : [{ split: 'train', path }];
}

/** Names of the Hub (dataset card specification), each with the number of rows it ends before. */
const SIZES: readonly (readonly [string, number])[] = [
  ['n<1K', 1e3],
  ['1K<n<10K', 1e4],
  ['10K<n<100K', 1e5],
  ['100K<n<1M', 1e6],
  ['1M<n<10M', 1e7],
  ['10M<n<100M', 1e8],
  ['100M<n<1B', 1e9],
];

function sizeCategory(pages: number): string {
  return SIZES.find(([, end]) => pages < end)?.[0] ?? 'n>1T';
}
