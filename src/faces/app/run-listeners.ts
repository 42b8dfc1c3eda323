/** The listeners of a run: questions about pages, a program that answers them, and a watch for signs that the model no longer distinguishes pages. */
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import { type LastJudged, SaturationWatch } from '../../study/inspect/saturation.ts';
import { givenFor } from '../../study/label/labelled-crawl.ts';
import { CrawlAnswers } from './crawl-answers.ts';
import type { CrawlNeeds } from './crawl-handle.ts';
import { CrawlQuestions } from './crawl-questions.ts';

/** The run as it is now: a retraining replaces its parts and its manifest. */
export interface ListenedRun {
  readonly paths: CrawlPaths;
  /** Command of the program that answers; undefined for none. */
  readonly answersBy: string | undefined;
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
  }

  /** Takes the events of the loop. */
  take(event: CrawlEvent): void {
    const { frontier, topic } = this.#run.parts();
    if (event.type === 'committed') {
      this.#questions?.committed(event.settlements);
      this.#answers?.committed(this.#questions?.batches ?? 0, { frontier, modelId: topic.id });
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

  /** Waits for the program that answers. */
  async close(): Promise<void> {
    await this.#answers?.close();
  }

  #newWatch(): SaturationWatch {
    const { paths, parts } = this.#run;
    return new SaturationWatch(parts().topic.threshold, paths, { standing: (url) => parts().frontier.standing(url) });
  }
}
