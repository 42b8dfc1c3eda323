/** The names that Forager gives its own files: by them it knows whose a folder is. */

/** The manifest of a crawl. */
export const MANIFEST = 'crawl.json';
/** Folder of the former crawl, while a new one in the same directory has no page yet, and its names on its way out and back: see `former-crawl.ts`. */
export const FORMER = '.former';
export const RETURNING = '.former-returning';
export const DISCARDED = '.former-discarded';

/** Folders of a purge, see `purged-crawl.ts`: while its files are written, and when all are. */
export const PURGING = '.purging';
export const PURGED = '.purged';
/** List of the pages that were taken back, of a crawl and of a corpus: one line of JSON for each, in the order of their withdrawal. */
export const WITHDRAWN_FILE = 'withdrawn.jsonl';

/** The files and folders of a crawl directory. Everything else in it is the user's. */
export const CRAWL_NAMES: ReadonlySet<string> = new Set([
  ...[MANIFEST, `${MANIFEST}.tmp`, 'fields.yaml', 'link-model.json.gz', 'labels.jsonl', 'labelling', 'seeds.txt', 'seeds.txt.tmp'],
  ...['chosen-seeds.txt', 'chosen-seeds.txt.tmp', 'room.json', 'room.json.tmp', 'outlooks.json', 'outlooks.json.tmp', 'model', 'models'],
  ...['bias.json', 'bias.json.tmp', 'stability.json', 'stability.json.tmp'],
  ...[
    'known.json',
    'known.json.tmp',
    'subtopics.json',
    'subtopics.json.tmp',
    'wishes.jsonl',
    'judgements.jsonl',
    WITHDRAWN_FILE,
    `${WITHDRAWN_FILE}.tmp`,
  ],
  ...[
    'frontier',
    'corpus',
    'archive',
    'corpus-id',
    'corpus-repaired',
    'gathered.json',
    'gathered.json.tmp',
    'opt-out.txt',
    'opt-out.txt.tmp',
    'watch',
    'lock',
  ],
  ...[FORMER, RETURNING, DISCARDED, PURGING, PURGED],
]);

/** The file that makes a folder a topic model, and all its files. */
export const MODEL_FILE = 'model.json';
export const MODEL_NAMES: ReadonlySet<string> = new Set([MODEL_FILE, 'weights.bin', 'card.json', 'training.bin.gz']);

/** The description that makes a folder a harvest, and the list of its files. */
export const CARD_FILE = 'corpus-card.json';
export const CHECKSUMS_FILE = 'SHA256SUMS';
/** The description that makes a folder one of sentence pairs. */
export const PAIRS_CARD_FILE = 'pairs-card.json';

/** Files that are only in the folder of a corpus that a crawl writes, and in that of its frontier. */
export const CORPUS_MARKS: readonly string[] = ['commit-0.json', 'commit-1.json'];
export const DATABASE = 'data.mdb';
