/** Where a crawl can be made to die, and how that is asked for. */

/** The points, in the order a crawl comes to them, and what is true of each. */
export const CRASH_POINTS = {
  'lock written': 'the lock is on disk under a name of this process, not yet under its own',
  'lock taken': 'the lock is held, and nothing else is done',
  'manifest half written': 'half of crawl.json.tmp is written',
  'manifest written': 'crawl.json.tmp is whole, not yet renamed',
  'manifest renamed': 'crawl.json is the new one',
  'frontier opened': 'the database is open, the corpus is as the last run left it',
  'tail put aside': 'what a corpus file has beyond its commit is copied, and not cut off yet',
  'corpus file cut': 'one corpus file is cut to its committed size, others are not yet',
  'corpus file deleted': 'a WARC file that no commit knows is deleted',
  'corpus opened': 'all corpus files are as committed, nothing is read from the database yet',
  leased: 'a URL is leased, nothing is asked',
  'robots.txt loading': 'a robots.txt was asked for and has not come',
  fetched: 'a page has come, nothing is done with it',
  appended: 'a page is in the memory of the corpus writer, not yet settled',
  'outlinks inserted': 'the links of a page are with the store, its fate is not',
  settled: 'a lease is settled in memory',
  'WARC half written': 'half of the bytes of a commit are in the WARC file',
  'WARC written': 'the WARC file has all, records.jsonl has nothing',
  'records half written': 'half of the lines of a commit are in records.jsonl',
  'WARC rolled': 'the next WARC file is made, and empty',
  'WARC released': 'the WARC file before it is closed',
  'mark half written': 'half of the mark of a commit is in its file',
  'mark written': 'the corpus folder notes the commit, its records may not all be written',
  flushed: 'the corpus is on disk, the frontier knows nothing of it',
  'in transaction': 'settlements are put into the transaction, which is not committed',
  committed: 'a commit is on disk, nothing comes after it',
  'model saved': "a retrained model is in the crawl's folder",
  'rejudgement stored': 'its judgement of all pages is stored, the manifest names the old one',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** The n-th passing of a point in one process, from 1. */
export interface Passing {
  readonly point: CrashPoint;
  readonly nth: number;
}

export interface CrashPlan {
  readonly kill?: Passing;
  /** Copy a file there and then. */
  readonly copy?: Passing & { readonly from: string; readonly to: string };
  /** Where to write, as the process ends by itself, how often each point was passed. */
  readonly counts?: string;
  /** WARC files roll at this size. */
  readonly warcBytes?: number;
}
