/** A labelling session for the page, in a process of its own. It is the session of `forager label`: same questions, same file, same training. */

import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, Ms } from '../../base/core/types.ts';
import { countText } from '../../base/text/number-text.ts';
import { directoryOf, hostNameOf } from '../../base/web/url.ts';
import type { CodingFacts } from '../../corpus/select/coding-facts.ts';
import type { PrecisionFacts } from '../../corpus/select/crawl-facts.ts';
import { bestPassage } from '../../reading/topic/passage.ts';
import { precisionOf } from '../../study/inspect/grounds.ts';
import type { CoderDisagreement } from '../../study/label/coder-answers.ts';
import type { AnswerPair, Disagreement, ModelAnswerFacts } from '../../study/label/judge/agreement.ts';
import { AUDIT_MARGIN, missingForMargin, neededFor } from '../../study/label/label-estimate.ts';
import type { Answer } from '../../study/label/label-queue.ts';
import type { Asking } from '../../study/label/labelling-options.ts';
import { LabellingSession } from '../../study/label/labelling-session.ts';
import { MOST_OF_PLACE } from '../../study/label/page-places.ts';
import type { Question } from '../../study/label/page-questions.ts';
import type { RelabelReport } from '../../study/label/retrain.ts';
import type { LabelCounts, StoredAnswers } from '../../study/label/stored-answers.ts';
import type { ImportReport } from '../../study/label/stored-import.ts';
import type { UndoReport } from '../../study/label/undo-retraining.ts';
import { BrowserSessions, type Sitting } from './browser-sessions.ts';
import type { Person } from './person.ts';
import type { RpcHandlers } from './rpc-child.ts';
import { STRINGS } from './strings.ts';

/** `teach`: pages of all queues. `measure`: kept pages drawn at random. `new-hosts`: pages of hosts with the fewest labels. */
export const LABEL_MODES = ['teach', 'measure', 'new-hosts'] as const;
export type LabelMode = (typeof LABEL_MODES)[number];

/** The result of the last training; `requested` if the running crawl trains by itself. */
export type Training =
  | { readonly kind: 'trained'; readonly report: RelabelReport }
  | { readonly kind: 'undone'; readonly report: UndoReport }
  | { readonly kind: 'requested' };

/** Numbers of the answers so far. */
export interface Measured {
  readonly counts: LabelCounts;
  readonly precision: PrecisionFacts | null;
  /** Precision of the pages that a harvest takes; null also without a training. */
  readonly harvest: PrecisionFacts | null;
  /** Answers to kept pages that were drawn at random, and the number that is needed. */
  readonly drawn: { readonly kept: number; readonly needed: number };
  /** Further random answers until the interval of the precision is at most ±10 points. */
  readonly answersToMargin: number;
}

/** A question as a card shows it. */
export type GridCard = Pick<Question, 'url' | 'title' | 'passage'>;

/** The next questions, at most twelve. */
export interface LabelGrid extends Measured {
  readonly cards: readonly GridCard[];
}

export interface LabelScreen extends Measured {
  /** null if no page is left to ask about. */
  readonly question: Question | null;
  /** Does the crawl run? Otherwise no crawl can run while the session is open. */
  readonly isRunning: boolean;
  /** Host and directory of the question: pages that `noneOf` would answer. */
  readonly places: readonly HostOrDirectory[];
  /** Name of the person who answers; null without one. */
  readonly name: string | null;
  /** Agreement of the people with names; null unless two of them answered one page. */
  readonly coded: CodingFacts | null;
  /** Pages that they answered differently. */
  readonly differing: readonly CoderDisagreement[];
  /** The last import of labels, until the next answer. */
  readonly imported: ImportReport | null;
  /** May the topic be trained with the labels so far? */
  readonly canTrain: boolean;
  readonly training: Training | null;
  /** null if no language model has answered. */
  readonly modelAnswers: ModelAnswerFacts | null;
  /**
   * The language model's answer to the page that this browser answered last; null without one. Never to a page that is still asked about:
   * it would not be a second opinion.
   */
  readonly lastPair: AnswerPair | null;
  /** Pages that the person and a language model answered differently. */
  readonly disagreements: readonly Disagreement[];
}

/** A host or directory whose pages may be answered together. */
export interface HostOrDirectory {
  readonly kind: 'host' | 'directory';
  /** Host or directory in the form that `PageQuestions.noneOf` takes. */
  readonly place: string;
  readonly pages: number;
}

/** The person who answers, with mode and topic. */
export interface Labeller extends Person {
  readonly mode: LabelMode;
  /** Name of the topic in a crawl of several; null in a crawl of one. */
  readonly topic: string | null;
}

interface By {
  readonly by: Labeller;
}

/** An answer to a page. */
interface Given {
  readonly url: string;
  readonly answer: Answer;
}

export interface LabelDesk {
  readonly screen: (given: By) => Promise<LabelScreen>;
  readonly grid: (given: By) => Promise<LabelGrid>;
  /** Stores answers in the order of the questions. A page with an answer keeps it: the form was sent twice. */
  readonly answerAll: (given: By & { readonly answers: readonly Given[] }) => Promise<void>;
  /** Stores a label of any page. @throws UsageError for a page without a stored text */
  readonly label: (given: By & Given) => Promise<void>;
  /** Stores the answer that counts for a page, see `StoredAnswers.decide`. @throws UsageError for a page without a stored text */
  readonly decide: (given: By & Given) => Promise<void>;
  /** Answers n for a page without an answer, and for all pages of its host or directory. */
  readonly noneOf: (given: By & { readonly url: string; readonly place: string }) => Promise<void>;
  /** All labels as CSV. */
  readonly csv: (given: By) => Promise<string>;
  /** Stores labels from CSV or JSON lines. */
  readonly importText: (given: By & { readonly text: string }) => Promise<void>;
  /** Takes back the last answer of this browser, or all answers of its last pass. */
  readonly undo: (given: By) => Promise<void>;
  readonly train: (given: By) => Promise<void>;
  readonly undoTraining: (given: By) => Promise<void>;
  /** Releases the crawl. */
  readonly leave: (given: null) => Promise<void>;
}

/** A person who has left the screen should not keep the crawl from running. */
export const IDLE: Ms = 600_000;
/** The text beside a question: some ten screens. */
const TEXT_CHARS = 20_000;
/** A screenful at 1,200 pixels. */
const CARDS = 12;
/** Three lines of a card. */
const CARD_CHARS = 240;
/** An audit without an end: no one labels as many. */
const AUDITED = 1_000_000;
const MODE_OPTIONS: Readonly<Record<LabelMode, Asking>> = {
  teach: {},
  measure: { audit: AUDITED },
  'new-hosts': { newHosts: true },
};

export function labelDeskOf(dir: string): { readonly functions: RpcHandlers; close(): Promise<void> } {
  const shared = new SessionOfPeople(dir);
  const functions: LabelDesk = {
    screen: ({ by }) => shared.screen(by),
    label: ({ by, url, answer }) => shared.label(by, (answers) => answers.storePage(url, answer), url),
    decide: ({ by, url, answer }) => shared.label(by, (answers) => answers.decide(url, answer), url),
    grid: ({ by }) => shared.grid(by),
    answerAll: ({ by, answers }) => shared.answerAll(by, new Map(answers.map(({ url, answer }) => [url, answer]))),
    noneOf: ({ by, url, place }) => shared.noneOf(by, url, place),
    csv: async ({ by }) => (await shared.session(by.topic)).answers.csv,
    importText: ({ by, text }) => shared.importText(by, text),
    undo: ({ by }) => shared.undo(by),
    train: ({ by }) => shared.train(by),
    undoTraining: ({ by }) => shared.undoTraining(by),
    leave: () => shared.close(),
  };
  const awake = Object.entries(functions).map(([name, work]: [string, RpcHandlers[string]]) => [
    name,
    (given: never) => shared.awake(() => work(given)),
  ]);
  return { functions: Object.fromEntries(awake) as RpcHandlers, close: () => shared.close() };
}

/** The session of all browsers: of one topic at a time, since it holds the crawl. */
class SessionOfPeople {
  readonly #dir: string;
  #topic: string | null = null;
  #open: LabellingSession | null = null;
  #training: Training | null = null;
  readonly #sittingsOf = new Map<string | null, BrowserSessions>();
  #idle: NodeJS.Timeout | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Does some work. Between two of them, a person may have left: a session closes after a while, and never in the middle of a training. */
  async awake<T>(work: () => Promise<T>): Promise<T> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    try {
      return await work();
    } finally {
      this.#idle = setTimeout(() => void this.close().catch(() => undefined), IDLE).unref();
    }
  }

  /** Opens the session if it is not open, or is of another topic. @throws as `openLabelling` */
  async session(topic: string | null): Promise<LabellingSession> {
    if (this.#open?.crawlHasEnded || topic !== this.#topic) await this.close();
    if (topic !== this.#topic) this.#training = null;
    this.#topic = topic;
    this.#open ??= await LabellingSession.open({ dir: this.#dir, passageLength: TEXT_CHARS, ...(topic !== null && { topicName: topic }) });
    return this.#open;
  }

  /** Sessions of the topic. */
  get #sittings(): BrowserSessions {
    const sittings = this.#sittingsOf.get(this.#topic) ?? new BrowserSessions(IDLE);
    this.#sittingsOf.set(this.#topic, sittings);
    return sittings;
  }

  async #sessionOf({ browser, name, mode, topic }: Labeller): Promise<{ session: LabellingSession; sitting: Sitting }> {
    const session = await this.session(topic);
    const asking = { ...MODE_OPTIONS[mode], ...(name !== null && { name }) };
    session.questions.turnTo(asking, this.#sittings.elsewhere(browser, Date.now()));
    return { session, sitting: this.#sittings.of(browser) };
  }

  async grid(by: Labeller): Promise<LabelGrid> {
    const { session, sitting } = await this.#sessionOf(by);
    const questions = await session.questions.upcoming(CARDS);
    sitting.show(questions, Date.now());
    return { ...measured(session), cards: questions.map(cardOf) };
  }

  async screen(by: Labeller): Promise<LabelScreen> {
    const { session, sitting } = await this.#sessionOf(by);
    const questions = await session.questions.upcoming(1);
    sitting.show(questions, Date.now());
    const [question = null] = questions;
    const { judge, training } = session;
    return {
      ...measured(session),
      question,
      places: question === null ? [] : hostAndDirectoryOf(session, question.url),
      name: by.name,
      coded: session.answers.codingFacts,
      differing: session.answers.coding.disagreements,
      imported: sitting.imported,
      isRunning: session.isRunning,
      canTrain: training.trainable && training.missing === null && training.unused,
      training: this.#training,
      modelAnswers: judge.facts,
      lastPair: sitting.last === null ? null : judge.pair(sitting.last),
      disagreements: judge.disagreements,
    };
  }

  async answerAll(by: Labeller, answers: Map<string, Answer>): Promise<void> {
    const { session, sitting } = await this.#sessionOf(by);
    const urls = [...answers.keys()];
    await this.#step(session, sitting, () => storeAll(session, answers, sitting));
    this.#training = null;
    sitting.imported = null;
    [sitting.last = null] = urls;
  }

  async noneOf(by: Labeller, url: string, place: string): Promise<void> {
    const { session, sitting } = await this.#sessionOf(by);
    if (session.questions.isAnswered(url)) return;
    if (session.answers.unansweredOf(place) > MOST_OF_PLACE) throw new UsageError(STRINGS.label.tooMany(countText(MOST_OF_PLACE)));
    // The person has seen this page, so it is an answer to its question.
    await this.#step(session, sitting, async () => {
      if ((await storeAll(session, new Map([[url, 'n']]), sitting)) > 0) await session.questions.noneOf(place);
    });
    this.#training = null;
  }

  async importText(by: Labeller, text: string): Promise<void> {
    const { session, sitting } = await this.#sessionOf(by);
    sitting.imported = await session.answers.importText(text);
    this.#sittings.settle();
  }

  async undo(by: Labeller): Promise<void> {
    const { session, sitting } = await this.#sessionOf(by);
    const step = sitting.steps.pop();
    sitting.last = null;
    if (step !== undefined) await session.answers.undoLines(step);
  }

  /** A session that is opened for this label alone ends with it, so that it does not keep the crawl from running. */
  async label(by: Labeller, store: (answers: StoredAnswers) => Promise<boolean>, url: string): Promise<void> {
    const wasOpen = this.#open !== null;
    try {
      const { session, sitting } = await this.#sessionOf(by);
      await this.#step(session, sitting, async () => {
        if (!(await store(session.answers))) throw new UsageError(STRINGS.label.noPage(url));
      });
      this.#training = null;
    } finally {
      if (!wasOpen) await this.close();
    }
  }

  /** Work that writes lines of the label file: undo takes them back together. */
  async #step(session: LabellingSession, { steps }: Sitting, work: () => Promise<unknown>): Promise<void> {
    const before = session.answers.lines;
    await work();
    const written = session.answers.lines - before;
    if (written > 0) steps.push(Array.from({ length: written }, (_, i) => before + 1 + i));
  }

  async train({ topic }: Labeller): Promise<void> {
    const session = await this.session(topic);
    this.#sittings.settle();
    if (!session.isRunning) this.#training = { kind: 'trained', report: await session.training.run() };
    else if (await session.training.request()) this.#training = { kind: 'requested' };
  }

  async undoTraining({ topic }: Labeller): Promise<void> {
    this.#training = { kind: 'undone', report: await (await this.session(topic)).training.undo() };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    this.#sittings.settle();
    await open?.close();
  }
}

/**
 * A running crawl that asks or trains, and other people who answer, change the next questions while a person looks at the earlier ones: an answer then
 * belongs to the queue of the question that was shown.
 * @returns how many were stored: none of a form that was sent twice
 */
async function storeAll(session: LabellingSession, answers: Map<string, Answer>, { asked }: Sitting): Promise<number> {
  let stored = 0;
  for (let question = await session.questions.next(); question !== null; question = await session.questions.next()) {
    const answer = answers.get(question.url);
    if (answer === undefined) break;
    await session.questions.answer(answer);
    answers.delete(question.url);
    stored += 1;
  }
  for (const [url, answer] of answers)
    if (!session.questions.isAnswered(url) && (await session.answers.storePage(url, answer, asked.get(url)))) stored += 1;
  return stored;
}

function measured(session: LabellingSession): Measured {
  const { kept } = session.answers.estimate();
  const harvest = session.training.harvested();
  return {
    counts: session.answers.counts,
    precision: precisionOf(kept),
    harvest: harvest && precisionOf(harvest),
    drawn: { kept: kept.answered, needed: neededFor(kept) },
    answersToMargin: missingForMargin(kept, AUDIT_MARGIN),
  };
}

/** The page itself counts too: it is answered with them. */
function hostAndDirectoryOf(session: LabellingSession, url: CanonicalUrl): HostOrDirectory[] {
  const places = [['host', hostNameOf(url)] as const, ['directory', directoryOf(url)] as const];
  return places.map(([kind, place]) => ({ kind, place, pages: session.answers.unansweredOf(place) }));
}

/** The best part of the text that the session shows. */
function cardOf({ url, title, passage, explanation }: Question): GridCard {
  return { url, title, passage: bestPassage(passage.text, explanation.contributions, CARD_CHARS) };
}
