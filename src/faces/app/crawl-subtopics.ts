/** The subtopics of a crawl: those found last, with the pages of now. */
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import type { Wish } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type StoredSubtopics, storedSubtopics, storeSubtopics } from '../../crawling/crawl-dir/subtopics-file.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { keptForSubtopics, readSubtopicPages, type SubtopicPage } from '../../study/inspect/subtopic-pages.ts';
import { describeSubtopics, findSubtopics, type Subtopic } from '../../study/inspect/subtopics.ts';
import { factsOfWish } from '../../study/label/apply-wishes.ts';
import { readWishes } from '../../study/label/wish-log.ts';

/** Options of the command that give or take back a wish: see `steer`. */
type Wished = 'more' | 'none' | 'undo' | 'name';

export interface SubtopicsOptions extends Omit<OptionsOf<typeof COMMANDS.topics>, 'json' | 'skipDamaged' | Wished> {
  /** Receives the number of pages read, and of all to read. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly warn?: (message: string) => void;
  /** Receives damaged records, which are then skipped. Absent: they are errors. */
  readonly onDamaged?: OnDamaged;
  readonly signal?: AbortSignal;
}

const TOPICS: OptionTable<SubtopicsOptions> = {
  ...without(checksOf(COMMANDS.topics), 'json', 'skipDamaged', 'more', 'none', 'undo', 'name'),
  onProgress: call,
  warn: call,
  onDamaged: call,
  signal,
};

export interface SubtopicsReport {
  readonly dir: string;
  /** On-topic pages in the corpus, and those of them that were read: all, or a sample. */
  readonly kept: number;
  readonly read: number;
  /** Pages without a word of any subtopic. */
  readonly without: number;
  readonly subtopics: readonly Subtopic[];
  /** Wishes that hold, the first one first. */
  readonly wishes: readonly Wish[];
}

/** Pages that tell enough: fewer are looked through one by one. */
const LEAST_PAGES = 20;
/** Subtopics are found again when the crawl has so many times the pages: new ones may have come. */
const GROWN = 2;

/** See `subtopics` of the library. */
export async function subtopics(options: SubtopicsOptions): Promise<SubtopicsReport> {
  checkOptions('topics', TOPICS, options, 'dir');
  const crawl = openCrawl(options.dir, options.onDamaged);
  try {
    const { kept, records } = keptForSubtopics(crawl);
    if (kept < LEAST_PAGES)
      throw new UsageError(
        `${options.dir}: has ${kept} on-topic pages, and subtopics need ${LEAST_PAGES}; crawl more of them: ${commandOn('crawl', options.dir)}`,
      );
    const pages = await readSubtopicPages(crawl, records, options);
    const { subtopics: named } = await namedIn(crawl, pages, kept, options);
    const described = describeSubtopics(pages, named, crawl);
    const without = pages.length - described.reduce((sum, { pages: own }) => sum + own, 0);
    return { dir: options.dir, kept, read: pages.length, without, subtopics: described, wishes: readWishes(crawl.paths).map(factsOfWish) };
  } finally {
    await crawl.close();
  }
}

/** The subtopics found last if they still hold, or new ones, which are stored. */
async function namedIn(
  { paths }: OpenCrawl,
  pages: readonly SubtopicPage[],
  kept: number,
  { groups: asked, rngSeed = 1, again = false, warn }: SubtopicsOptions,
): Promise<StoredSubtopics> {
  const groups = asked ?? null;
  const last = storedSubtopics(paths);
  const isAsked = last !== null && last.seed === rngSeed && last.groups === groups;
  if (last !== null && isAsked && !again && kept <= GROWN * last.pages) return last;
  const found = { pages: kept, seed: rngSeed, groups, subtopics: await findSubtopics(pages, groups, rngSeed) };
  try {
    storeSubtopics(paths, found);
  } catch {
    warn?.(`${paths.subtopics}: could not be written, so the ids may be others the next time; make the directory writable`);
  }
  return found;
}
