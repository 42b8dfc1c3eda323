/** The listeners of a run: questions about pages, a program that answers them, a sink of kept records, and a watch for signs that the model no longer distinguishes pages. */
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { Ms } from '../../base/core/types.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { commandGiven } from '../../crawling/crawl-dir/own-code-files.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import type { Sink } from '../../crawling/openings/sink.ts';
import { COMMAND, nameOfSink } from '../../crawling/settings/own-code.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import { type LastJudged, SaturationWatch } from '../../study/inspect/saturation.ts';
import { factsOfSink, type SinkFacts } from '../../study/inspect/sink-facts.ts';
import { recordsEnd } from '../../study/label/judged-pages.ts';
import { givenFor } from '../../study/label/labelled-crawl.ts';
import { CrawlAnswers } from './crawl-answers.ts';
import type { CrawlNeeds } from './crawl-handle.ts';
import { CrawlQuestions } from './crawl-questions.ts';

/** Time that a person waits before wondering whether the program still works. */
const MOMENT: Ms = 2000;

/** The run as it is now: a retraining replaces its parts and its manifest. */
export interface ListenedRun {
  readonly paths: CrawlPaths;
  /** Command of the program that answers; undefined for none. */
  readonly answersBy: string | undefined;
  /** The option of this run, which has the command of a sink. */
  readonly sink: string | undefined;
  readonly warn: (message: string) => void;
  readonly manifest: () => CrawlManifest;
  readonly parts: () => Parts;
}

export class RunListeners {
  readonly #run: ListenedRun;
  /** null before `begin`. */
  #questions: CrawlQuestions | null = null;
  /** null without a program that answers. */
  #answers: CrawlAnswers | null = null;
  /** null without a sink. */
  #sink: Sink | null = null;
  #watch: SaturationWatch;

  constructor(run: ListenedRun) {
    this.#run = run;
    this.#watch = this.#newWatch();
  }

  /** Asks the questions that earlier runs did not store. @throws DataError if a file of questions is damaged */
  async begin(): Promise<void> {
    const { paths, warn, answersBy: command } = this.#run;
    const [manifest, { frontier, emit }] = [this.#run.manifest(), this.#run.parts()];
    const given: readonly GivenPages[] = manifest.ask.length === 0 ? [] : await Promise.all(topicParts(paths.dir, manifest).map(givenFor));
    this.#questions = new CrawlQuestions({ paths, manifest, emit, warn, given });
    this.#questions.begin({ frontier, manifest });
    if (command !== undefined) this.#answers = new CrawlAnswers({ paths, command, warn, given: given[0] ?? new GivenPages([]) });
    if (manifest.sink !== null) this.#sink = await this.#openSink(manifest.sink);
  }

  /** Takes the events of the loop. */
  take(event: CrawlEvent): void {
    const { frontier, topic } = this.#run.parts();
    if (event.type === 'committed') {
      this.#questions?.committed(event.settlements);
      this.#answers?.committed(this.#questions?.batches ?? 0, { frontier, modelId: topic.id });
      this.#sink?.committed(recordsEnd(frontier));
    }
    if (event.type !== 'settled') return;
    this.#questions?.settled({ frontier, manifest: this.#run.manifest() });
    if (event.settlement === 'done') this.#watch.add(event.relevance);
  }

  /** Another model judges from now on: the pages that the former one judged show nothing about it. */
  anotherModel(): void {
    this.#watch = this.#newWatch();
  }

  needs(): CrawlNeeds {
    const isOfSeveral = this.#run.manifest().topics.length > 0;
    return {
      saturated: isOfSeveral ? null : this.#watch.saturated(),
      questions: this.open,
      ...(isOfSeveral && { several: true as const }),
    };
  }

  /** Questions without an answer. */
  get open(): number {
    return this.#questions?.open ?? 0;
  }

  /** The last pages that the model judged. */
  get last(): LastJudged {
    return this.#watch.last;
  }

  /**
   * Gives the sink everything that is committed, for at most `time`. The frontier then has its last mark, to be stored with another commit.
   * @param onWait receives the number of waiting records if it takes longer than a moment
   * @returns null without a sink
   */
  async drain(time: Ms, signal: AbortSignal, onWait: (records: number) => void): Promise<SinkFacts | null> {
    const sink = this.#sink;
    if (sink === null) return null;
    const { frontier } = this.#run.parts();
    sink.committed(recordsEnd(frontier));
    const waiting = await sink.waiting();
    const timer = setTimeout(() => onWait(waiting), MOMENT);
    await sink.drain(time, signal);
    clearTimeout(timer);
    frontier.note({ sink: sink.mark });
    return factsOfSink(sink.mark, await sink.waiting());
  }

  /** Waits for the program that answers, and ends the sink. */
  async close(): Promise<void> {
    await this.#answers?.close();
    await this.#sink?.close();
  }

  /** A retraining replaces the frontier: each mark goes to the one of its moment. */
  async #openSink(stored: string): Promise<Sink> {
    const { paths, warn, parts, sink: given } = this.#run;
    const sink = stored === COMMAND ? commandGiven(paths.dir, '--sink', given) : stored;
    const { frontier, clock } = parts();
    return (await import('../../crawling/openings/sink.ts')).Sink.open({
      ...{ sink, name: nameOfSink(sink), corpus: paths.corpus, clock, warn },
      ...{ mark: frontier.notes.sink ?? null, end: recordsEnd(frontier), note: (mark) => parts().frontier.note({ sink: mark }) },
    });
  }

  #newWatch(): SaturationWatch {
    const { paths, parts } = this.#run;
    return new SaturationWatch(parts().topic.threshold, paths, { standing: (url) => parts().frontier.standing(url) });
  }
}
