/** The crawl loop: lease, visit, settle, until the frontier is empty or a limit is reached. */

import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { isFatal, messageOf } from '../../base/core/errors.ts';
import { givenUpAt } from '../../base/core/failure-policy.ts';
import type { HostReport, LeaseSource, Settlement, VisitBudget } from '../../base/core/parts/queueing.ts';
import type { LessonQueue } from '../../base/core/parts/scoring.ts';
import type { Parts } from '../../base/core/parts.ts';
import { isReadRefusal, reasonText } from '../../base/core/reason.ts';
import { nextRescoring } from '../../base/core/rescoring-schedule.ts';
import type { EpochMs, FrontierEntry, Lease, Ms, Patience, Unit } from '../../base/core/types.ts';
import { Committer } from './committer.ts';
import { LeaseShare } from './lease-share.ts';
import { AT_ONCE, lessonOf } from './lessons.ts';
import { Notifier } from './notifier.ts';
import { ownBudget } from './own-budget.ts';
import { patienceWithin } from './patience.ts';
import { RecentYield, type YieldLimit } from './recent-yield.ts';
import { recordingOf } from './recording.ts';
import { LINKS_AT_A_TIME, linksToRescore } from './rescore-waiting.ts';
import { beginRound, roundOf } from './rounds.ts';
import { RunningCrawl, type Waiting } from './running.ts';
import { revisited, settledAs, settlementFor, type Visit } from './settlements.ts';
import { visit } from './visit.ts';

export interface CrawlLimits {
  /** Number of URLs to visit in the whole life of the crawl, earlier runs included. */
  readonly maxPages: number;
  /** Request no new page: only kept ones that are due again. */
  readonly revisitOnly?: boolean;
  /** The frontier revisits pages by a plan: only the time and the caller end the run. Default: false. */
  readonly continuous?: boolean;
  /** Number of rounds, earlier runs included; Infinity for as many as there are. Absent: the crawl has no rounds. */
  readonly rounds?: number;
  /** Longest time in which this run takes leases. */
  readonly maxTime: Ms;
  readonly concurrency: number;
  /** Longest wait for a host with a clearly better URL than all available ones; 0 never waits. null: `patienceWithin` derives it from the limits. */
  readonly patience: Ms | null;
  /** Stops the crawl when fewer of the last visits were on topic, earlier runs included. null: never. */
  readonly stopYield: YieldLimit | null;
  /** Have the known pages shown the recall at which the crawl stops? Absent: there is none. */
  readonly isComplete?: () => boolean;
}

/** `revisited`: a run for revisits alone has made them. */
export type StopReason =
  | 'drained'
  | 'revisited'
  | 'max-pages'
  | 'max-time'
  | 'low-yield'
  | 'recall'
  | 'rounds'
  | 'interrupted'
  | 'disk-full'
  | 'low-memory';

/** Interval between checks while other workers have the rest of the crawl. They ring, too. */
const LOOK_AT_OTHERS: Ms = 1000;

/** Interval between checks while there is no room for more. */
const LOOK_FOR_ROOM: Ms = 1000;

/**
 * Crawls until the frontier is empty, a limit is reached, the machine has no room for more, or `stop` aborts. Then finishes the visits in flight and
 * commits.
 * @param running receives the current state of the crawl
 * @throws StoreError when results can no longer be stored; everything committed before stays
 */
export async function runCrawl(
  parts: Parts,
  limits: CrawlLimits,
  stop: AbortSignal,
  running = new RunningCrawl(parts.clock),
): Promise<StopReason> {
  const run = new Run(parts, limits, stop, running);
  try {
    return await run.lease();
  } finally {
    await run.finish();
  }
}

class Run {
  readonly #parts: Parts;
  readonly #limits: CrawlLimits;
  readonly #stop: AbortSignal;
  readonly #committer: Committer;
  readonly #leases: LeaseSource;
  readonly #budget: VisitBudget;
  readonly #lessons: LessonQueue;
  /** Aborts the requests in flight when their results could no longer be stored. */
  readonly #abort = new AbortController();
  /** Rings when a visit has ended or a commit has failed. */
  readonly #wake = new Notifier();
  readonly #deadline: EpochMs;
  /** The visits that a stop for low yield looks at; null without such a stop. */
  readonly #recent: RecentYield | null;
  readonly #running: RunningCrawl;
  /** Revisits in flight. */
  #again = 0;
  #rescoreAt: number;
  /** The running rescoring; the crawl takes no lease before it has ended. */
  #rescoring: Iterator<number> | null = null;
  readonly #share = new LeaseShare();

  constructor(parts: Parts, limits: CrawlLimits, stop: AbortSignal, running: RunningCrawl) {
    this.#parts = parts;
    this.#limits = limits;
    this.#stop = stop;
    this.#running = running;
    this.#leases = parts.leases ?? parts.frontier;
    this.#budget = parts.budget ?? ownBudget(limits.maxPages, parts.frontier);
    this.#lessons = parts.lessons ?? AT_ONCE;
    this.#committer = new Committer(parts, (failure) => {
      running.failure = messageOf(failure);
      this.#wake.ring();
    });
    running.added = () => {
      this.#committer.added();
      this.#wake.ring();
    };
    running.changed = () => this.#wake.ring();
    this.#deadline = parts.clock.now() + limits.maxTime;
    this.#recent = limits.stopYield ? recentOf(limits.stopYield, parts) : null;
    this.#rescoreAt = nextRescoring(parts.scorer.learnedFrom);
    stop.addEventListener('abort', () => this.#wake.ring(), { once: true });
    parts.lost?.addEventListener('abort', () => this.#committer.fail(parts.lost?.reason), { once: true });
  }

  /** Takes leases and starts visits. @returns the reason to stop. */
  async lease(): Promise<StopReason> {
    const { frontier, clock, headroom } = this.#parts;
    while (!this.#committer.failed) {
      const { left } = this.#budget;
      if (this.#stop.aborted) return 'interrupted';
      if (clock.now() >= this.#deadline) return 'max-time';
      if (this.#rescoring) {
        await this.#rescore(this.#rescoring);
        continue;
      }
      for (const { entry, relevance } of this.#lessons.learned()) this.#learn(entry, relevance);
      if (this.#rescoring) continue;
      // Revisits are due regardless of the limits for new pages. A revisit in flight may become due once more, after its robots.txt.
      const enough = this.#enough();
      const { continuous = false } = this.#limits;
      if (enough && !continuous && frontier.due === 0 && this.#again === 0) return enough;
      const inFlight = this.#running.inFlight - this.#again;
      const onlyAgain = enough !== null || inFlight >= left;
      if (this.#running.inFlight >= this.#limits.concurrency || (onlyAgain && frontier.due === 0 && !continuous)) {
        // Other workers have all visits.
        if (this.#running.inFlight === 0) await this.#untilOthers();
        else await this.#untilVisit();
        continue;
      }
      const room = headroom?.verdict() ?? 'go';
      if (room === 'hold' || room === 'paused') {
        await this.#untilTimeOrVisit({ for: room === 'hold' ? 'room' : 'leave' }, clock.now() + LOOK_FOR_ROOM);
        continue;
      }
      if (room !== 'go') return room;
      const next = this.#leases.next(onlyAgain ? 'revisits' : 'all', this.#patience(left - inFlight));
      if (next.kind === 'lease') {
        void this.#visitAndSettle(next.lease);
        // A turn of the event loop would move a simulated clock; this does not.
        if (this.#share.isUsedUp()) await clock.sleep(0, this.#stop);
      } else if (next.kind === 'wait' && next.outbid) await this.#untilOthers();
      else if (next.kind === 'wait')
        await this.#untilTimeOrVisit({ for: next.onlyRevisits ? 'revisits' : 'hosts', until: next.until }, next.until);
      else if (this.#running.inFlight > 0)
        await this.#untilVisit(); // a visit in flight may still add entries
      else {
        const end = this.#endOfRound();
        if (end !== null) return end;
      }
    }
    return 'interrupted';
  }

  /** Begins the next round. @returns the reason to stop if there is none */
  #endOfRound(): StopReason | null {
    const { rounds = 0 } = this.#limits;
    const { frontier } = this.#parts;
    if (roundOf(frontier) < rounds) {
      if (!beginRound(this.#parts)) return 'drained';
      this.#committer.added();
      return null;
    }
    return rounds > 0 && frontier.refusals().has('next-round') ? 'rounds' : 'drained';
  }

  /** @param left pages left in the budget, minus those in flight */
  #patience(left: number): Patience {
    const longest = this.#limits.patience ?? null;
    const { clock } = this.#parts;
    return longest === null ? patienceWithin(left, this.#deadline - clock.now()) : { longest, pace: Number.POSITIVE_INFINITY };
  }

  /** The reason to visit no new page; null if there is none. */
  #enough(): StopReason | null {
    if (this.#limits.revisitOnly) return 'revisited';
    if (this.#limits.isComplete?.()) return 'recall';
    if (this.#budget.isSpent) return 'max-pages';
    return this.#limits.stopYield && this.#recent?.isBelow(this.#limits.stopYield) ? 'low-yield' : null;
  }

  /** Waits for the visits in flight, and commits. @throws StoreError */
  async finish(): Promise<void> {
    while (this.#running.inFlight > 0 && !this.#committer.failed) await this.#untilVisit();
    if (this.#committer.failed) this.#abort.abort();
    while (this.#running.inFlight > 0) await this.#untilVisit();
    await this.#committer.finish();
    [this.#running.added, this.#running.changed] = [() => undefined, () => undefined];
  }

  /** Visits, then settles: every lease is settled exactly once, even if the visit throws. */
  async #visitAndSettle(lease: Lease): Promise<void> {
    const { clock, emit } = this.#parts;
    const progress = this.#running.begin(lease);
    const isAgain = lease.entry.task.kind === 'revisit';
    if (isAgain) this.#again += 1;
    emit({ type: 'leased', at: clock.now(), url: lease.entry.url, priority: lease.entry.priority });
    const outcome = await visit(lease, this.#parts, this.#abort.signal, progress).catch((error: unknown) => this.#thrown(lease, error));
    try {
      this.#settle(lease, outcome);
    } catch (error) {
      this.#committer.fail(error);
    }
    this.#running.end(progress);
    this.#parts.hostPolicy?.release?.(lease.entry.host);
    if (isAgain) this.#again -= 1;
    this.#wake.ring();
  }

  /** Corpus record, settlement and lesson in one tick: they belong to one commit, and lessons keep the order of settlement. */
  #settle(lease: Lease, came: Visit): void {
    const { clock, corpus, frontier, reader, stored, emit } = this.#parts;
    const { settlement, effects } = came;
    const { task } = lease.entry;
    const before = task.kind === 'revisit' && task.of === 'page' ? task.kept.recordId : undefined;
    for (const effect of [...effects, ...recordingOf(corpus, lease.entry.url, came)]) {
      if (effect.kind === 'links') frontier.add(effect.discovery);
      else {
        corpus.append(effect);
        stored?.learn?.(effect, before);
      }
    }
    frontier.settle(lease, settlement);
    this.#committer.settled();
    const fate = settlement.kind === 'done' ? settlement.fate : null;
    if (fate) this.#recent?.add(fate);
    if (fate?.visited) this.#budget.visited();
    if (fate) reader.markSettled?.(lease.entry.url);
    emit({
      type: 'settled',
      at: clock.now(),
      url: lease.entry.url,
      settlement: settlement.kind,
      fate: fate?.state ?? null,
      reason: reasonText(settlement.kind === 'retry' ? settlement.reason : (fate?.reason ?? '')),
      status: fate?.status ?? null,
      relevance: fate?.relevance ?? null,
    });
    if (lease.entry.edge === null) this.#tellSeed(lease.entry, settlement);
    const lesson = fate && lessonOf(fate, lease.entry);
    if (lesson !== null && this.#lessons.teach({ entry: lease.entry, relevance: lesson })) this.#learn(lease.entry, lesson, fate?.wanted);
  }

  /** The scorer learns; at some numbers of lessons the waiting links are to be rescored. */
  #learn(entry: FrontierEntry, lesson: Unit, wanted = false): void {
    const { frontier, scorer } = this.#parts;
    if (!scorer.learn) return;
    scorer.learn(entry, lesson, wanted);
    if (this.#rescoring || scorer.learnedFrom < this.#rescoreAt) return;
    this.#rescoring = frontier.rescoring(scorer, linksToRescore(scorer.learnedFrom));
    this.#rescoreAt = nextRescoring(scorer.learnedFrom);
  }

  /** Reports at once that a seed gave no page, whether it is tried again or not. */
  #tellSeed({ url, attempts }: Lease['entry'], settlement: Settlement): void {
    const { clock, emit } = this.#parts;
    const at = clock.now();
    if (settlement.kind === 'retry') {
      const { reason, notBefore: until } = settlement;
      const givenUp = givenUpAt({ reason, attempts: attempts + 1, notBefore: until, pause: until - at });
      emit({ type: 'seed-failed', at, url, reason: reasonText(reason), status: null, until, givenUp });
    }
    if (settlement.kind !== 'done') return;
    const { state, reason, status } = settlement.fate;
    if (state === 'failed' || (state === 'refused' && !isReadRefusal(reason)))
      emit({ type: 'seed-failed', at, url, reason: reasonText(reason), status, until: null, givenUp: null });
  }

  /** Rescores some links; then the event loop handles responses. */
  async #rescore(rescoring: Iterator<number>): Promise<void> {
    for (let links = 0; links < LINKS_AT_A_TIME; ) {
      const { done, value } = rescoring.next();
      if (done) {
        this.#rescoring = null;
        return;
      }
      links += value;
    }
    await turnOfLoop();
  }

  /**
   * A visit threw an error. If the machine is at fault, the crawl ends and the URL keeps waiting. Otherwise it is our bug: the URL fails and the
   * crawl continues.
   */
  #thrown(lease: Lease, error: unknown): Visit {
    if (isFatal(error)) this.#committer.fail(error);
    if (this.#committer.failed) return settledAs({ kind: 'released', host: UNCLEAR });
    if (lease.entry.task.kind === 'revisit') return settledAs(revisited(null, null, UNCLEAR));
    const outcome = { kind: 'failed', code: 'internal', status: null, detail: messageOf(error), retryAfter: null, ms: 0 } as const;
    return settledAs(settlementFor(outcome, lease, this.#parts));
  }

  async #untilOthers(): Promise<void> {
    await this.#untilTimeOrVisit({ for: 'others' }, this.#parts.clock.now() + LOOK_AT_OTHERS);
  }

  async #untilVisit(): Promise<void> {
    this.#running.waiting = { for: 'visits' };
    await this.#wake.wait();
    this.#running.waiting = null;
  }

  /** @param time the deadline replaces it if that is sooner */
  async #untilTimeOrVisit(waiting: Waiting, time: EpochMs): Promise<void> {
    const nap = new AbortController();
    const { clock } = this.#parts;
    const until = Math.min(time, this.#deadline);
    const asleep = until === Number.POSITIVE_INFINITY ? [] : [clock.sleep(until - clock.now(), nap.signal)];
    this.#running.waiting = waiting;
    await Promise.race([this.#wake.wait(), ...asleep]);
    this.#running.waiting = null;
    nap.abort(AWAKE);
  }
}

/** Reason of the end of each wait: without one, Node makes an error with its stack, which takes a tenth of a millisecond. */
const AWAKE = 'awake';

/** A request may have been made: the host rests. */
const UNCLEAR: HostReport = { ms: 0, sign: 'unclear', retryAfter: null };

/** The yield window, filled from earlier runs. */
function recentOf({ visits }: YieldLimit, { frontier, topic }: Parts): RecentYield {
  const recent = new RecentYield(visits, topic.threshold);
  for (const { fate } of frontier.settled()) recent.add(fate);
  return recent;
}
