/** Steers a crawl by its subtopics: more of one, or none of it. */
import { isoTime, systemClock } from '../../base/core/clock.ts';
import { type OnDamaged, StoreError, UsageError } from '../../base/core/errors.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { crawlPaths, readManifest, type Wish } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type StoredSubtopics, storedSubtopics } from '../../crawling/crawl-dir/subtopics-file.ts';
import type { SteeringWay } from '../../reading/topic/steering.ts';
import type { RelabelStep } from '../../study/label/activate-model.ts';
import { applyWishes, factsOfWish, pendingWishes, refuseWishes } from '../../study/label/apply-wishes.ts';
import { LabelledTopic } from '../../study/label/labelled-topic.ts';
import { logWish, readWishes } from '../../study/label/wish-log.ts';

export interface SteerOptions {
  readonly dir: string;
  /** `undo` takes the last wish back that was not taken back. */
  readonly way: SteeringWay | 'undo';
  /** Id of the subtopic, as `subtopics` gives it. Not for `undo`. */
  readonly id?: string;
  /** The person. Default: none. */
  readonly name?: string;
  readonly warn?: (message: string) => void;
  readonly onProgress?: (step: RelabelStep, done: number) => void;
  /** Receives damaged records, which are then skipped. Absent: they are errors. */
  readonly onDamaged?: OnDamaged;
}

export interface Steering {
  readonly dir: string;
  /** The wish that was given or taken back. */
  readonly wish: Wish;
  readonly undone: boolean;
  /** All wishes that hold now. */
  readonly active: readonly Wish[];
  /** `now`: the crawl at rest was judged again. `running`: the running crawl takes it within seconds. `next-run`: the next run does. */
  readonly applied: 'now' | 'running' | 'next-run';
}

/** More wishes than this are a subject of their own, and each page is compared with all of them. */
const MOST_WISHES = 10;

/** See `steer` of the library. */
export async function steer(options: SteerOptions): Promise<Steering> {
  const { dir } = options;
  const paths = crawlPaths(dir);
  refuseWishes(paths, readManifest(dir));
  const before = readWishes(paths);
  const by = options.name === undefined ? {} : { by: options.name };
  const at = isoTime(systemClock.now());
  if (options.way === 'undo') {
    const last = before.at(-1);
    if (last === undefined)
      throw new UsageError(`${dir}: has no wish about a subtopic to take back; give one with: ${commandOn('topics', dir)}`);
    logWish(paths, { undo: true, at, ...by });
    return report(options, last, true);
  }
  const wish = { way: options.way, at, ...by, ...wishedFor(dir, options.id ?? '', storedSubtopics(paths)) };
  if (before.filter(({ id }) => id !== wish.id).length >= MOST_WISHES)
    throw new UsageError(
      `${dir}: has ${MOST_WISHES} wishes about subtopics, the most it can have; take one back with: ${commandOn('topics', dir, '--undo')}`,
    );
  logWish(paths, wish);
  return report(options, wish, false);
}

/** @throws UsageError naming the ids for another id */
function wishedFor(dir: string, id: string, stored: StoredSubtopics | null) {
  if (stored === null) throw new UsageError(`${dir}: has no subtopics yet; find them first with: ${commandOn('topics', dir)}`);
  const place = stored.subtopics.findIndex((one) => one.id === id);
  const found = stored.subtopics[place];
  if (found === undefined)
    throw new UsageError(`${id}: is not a subtopic of ${dir}; it has ${stored.subtopics.map((one) => one.id).join(', ')}`);
  return { id, name: found.name, place, subtopics: stored.subtopics.map(({ buckets, weights }) => ({ buckets, weights })) };
}

async function report(options: SteerOptions, wish: Wish, undone: boolean): Promise<Steering> {
  const paths = crawlPaths(options.dir);
  const applied = await apply(options);
  return { dir: options.dir, wish: factsOfWish(wish), undone, active: readWishes(paths).map(factsOfWish), applied };
}

/** Lets the model of a crawl at rest judge again; a running crawl does it itself. */
async function apply({ dir, warn, onProgress, onDamaged }: SteerOptions): Promise<Steering['applied']> {
  if (await isRunning(dir)) return 'running';
  let topic: LabelledTopic;
  try {
    topic = await LabelledTopic.open({ dir, ...(warn && { warn }), ...(onDamaged && { onDamaged }) });
  } catch (error) {
    // Somebody labels the crawl. The wish is stored.
    if (error instanceof StoreError && error.code === 'STORE_LOCKED') return 'next-run';
    throw error;
  }
  try {
    if (topic.isRunning) return 'running';
    const { paths, manifest } = topic.part;
    const wishes = pendingWishes(paths, manifest);
    if (wishes !== null)
      await topic.activating((labelled) => applyWishes(labelled, wishes, { ...(warn && { warn }), ...(onProgress && { onProgress }) }));
    return 'now';
  } finally {
    await topic.close();
  }
}

async function isRunning(dir: string): Promise<boolean> {
  const crawl = openCrawl(dir);
  await crawl.close();
  return crawl.running;
}
