/** A labelling session for the page, in a process of its own. It is the session of `forager label`: same questions, same file, same training. */
import { UsageError } from '../core/errors.ts';
import type { CanonicalUrl, Ms } from '../core/types.ts';
import { AUDIT_MARGIN, type CrawlEstimate, missingForMargin } from '../label/label-estimate.ts';
import type { Answer } from '../label/label-queue.ts';
import { type LabelCounts, Labelling, type Question } from '../label/labelling.ts';
import type { LabellingOptions } from '../label/labelling-options.ts';
import { MOST_OF_PLACE } from '../label/page-places.ts';
import type { PersonAgreement } from '../label/person-agreement.ts';
import type { RelabelReport } from '../label/retrain.ts';
import type { ImportReport } from '../label/stored-import.ts';
import type { UndoReport } from '../label/undo-retraining.ts';
import { person } from '../settings/kinds.ts';
import { bestPassage } from '../topic/passage.ts';
import { directoryOf, hostNameOf } from '../web/url.ts';
import type { Answering } from './asked-process.ts';
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
  /** Of several; null in a crawl of one. */
  readonly topic: string | null;
  readonly mode: LabelMode;
  readonly counts: LabelCounts;
  readonly estimate: CrawlEstimate;
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
  readonly places: readonly AnsweredPlace[];
  /** Of the person who answers; null without one. */
  readonly name: string | null;
  readonly agreements: readonly PersonAgreement[];
  /** The last import of labels, until the next answer. */
  readonly imported: ImportReport | null;
  /** May the topic be trained with the labels so far? */
  readonly canTrain: boolean;
  readonly training: Training | null;
  /** Pages that the person and a language model answered differently. */
  readonly disagreements: readonly { readonly url: string; readonly person: string; readonly model: string }[];
}

/** A host or directory whose pages may be answered together. */
export interface AnsweredPlace {
  readonly kind: 'host' | 'directory';
  /** As `Labelling.noneOf` takes it. */
  readonly place: string;
  readonly pages: number;
}

export interface LabelDesk {
  /** Of several topics, the one that is labelled from now on; null in a crawl of one. */
  readonly topic: (given: string | null) => Promise<void>;
  readonly screen: (given: { readonly mode: LabelMode | null }) => Promise<LabelScreen>;
  readonly grid: (given: { readonly mode: LabelMode | null }) => Promise<LabelGrid>;
  /** Stores answers in the order of the questions. Pages with an answer keep it. */
  readonly answerAll: (given: readonly { readonly url: string; readonly answer: Answer }[]) => Promise<void>;
  /** Stores the answer. A page with an answer keeps it: the form was sent twice. */
  readonly answer: (given: { readonly url: string; readonly answer: Answer }) => Promise<void>;
  /** Stores a label of any page. @throws UsageError for a page without a stored text */
  readonly label: (given: { readonly url: string; readonly answer: Answer }) => Promise<void>;
  /** Answers n for a page without an answer, and for all pages of its host or directory. */
  readonly noneOf: (given: { readonly url: string; readonly place: string }) => Promise<void>;
  /** Names the person who answers from now on; an empty name is none. */
  readonly name: (given: string) => Promise<void>;
  /** All labels as CSV. */
  readonly csv: (given: null) => Promise<string>;
  /** Stores labels from CSV or JSON lines. */
  readonly importText: (given: string) => Promise<void>;
  /** Takes back the last answer, or all answers of the last pass. */
  readonly undo: (given: null) => Promise<void>;
  readonly train: (given: null) => Promise<void>;
  readonly undoTraining: (given: null) => Promise<void>;
  /** Releases the crawl. */
  readonly leave: (given: null) => Promise<void>;
}

/** A person who has left the screen should not keep the crawl from running. */
const IDLE: Ms = 600_000;
/** The text beside a question: some ten screens. */
const TEXT_CHARS = 20_000;
/** A screenful at 1,200 pixels. */
const CARDS = 12;
/** Three lines of a card. */
const CARD_CHARS = 240;
/** An audit without an end: no one labels as many. */
const AUDITED = 1_000_000;
const MODE_OPTIONS: Readonly<Record<LabelMode, Omit<LabellingOptions, 'dir'>>> = {
  teach: {},
  measure: { audit: AUDITED },
  'new-hosts': { newHosts: true },
};

export function labelDeskOf(dir: string): { readonly functions: Answering; close(): Promise<void> } {
  const desk = new Desk(dir);
  const functions: LabelDesk = {
    topic: (topic) => desk.choose(topic),
    screen: ({ mode }) => desk.screen(mode),
    label: ({ url, answer }) => desk.label(url, answer),
    grid: ({ mode }) => desk.grid(mode),
    answerAll: (answers) => desk.answerAll(new Map(answers.map(({ url, answer }) => [url, answer]))),
    answer: ({ url, answer }) => desk.answerAll(new Map([[url, answer]])),
    noneOf: ({ url, place }) => desk.noneOf(url, place),
    name: (name) => desk.name(name),
    csv: async () => (await desk.session()).csv,
    importText: (text) => desk.importText(text),
    undo: () => desk.undo(),
    train: () => desk.train(),
    undoTraining: () => desk.undoTraining(),
    leave: () => desk.close(),
  };
  const awake = Object.entries(functions).map(([name, work]: [string, Answering[string]]) => [
    name,
    (given: never) => desk.awake(() => work(given)),
  ]);
  return { functions: Object.fromEntries(awake) as Answering, close: () => desk.close() };
}

class Desk {
  readonly #dir: string;
  #mode: LabelMode = 'teach';
  #topic: string | null = null;
  #open: Labelling | null = null;
  #name: string | null = null;
  #training: Training | null = null;
  #imported: ImportReport | null = null;
  /** Answers of each step of the session: undo takes back a step. */
  #steps: number[] = [];
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

  /** Opens the session if it is not open. @throws as `openLabelling` */
  async session(): Promise<Labelling> {
    if (this.#open?.crawlHasEnded) await this.close();
    this.#open ??= await Labelling.open({ dir: this.#dir, passageLength: TEXT_CHARS, ...this.#options });
    return this.#open;
  }

  get #options(): Omit<LabellingOptions, 'dir'> {
    const topic = this.#topic === null ? {} : { topicName: this.#topic };
    return { ...MODE_OPTIONS[this.#mode], ...topic, ...(this.#name !== null && { name: this.#name }) };
  }

  async choose(topic: string | null): Promise<void> {
    if (topic === this.#topic) return;
    // Before anything that may fail: an answer must not go to the topic of before.
    this.#topic = topic;
    await this.close();
    this.#training = null;
    this.#imported = null;
  }

  async #sessionIn(mode: LabelMode | null): Promise<Labelling> {
    if (mode !== null && mode !== this.#mode) {
      await this.close();
      this.#mode = mode;
    }
    return this.session();
  }

  #measured(session: Labelling): Measured {
    const estimate = session.estimate();
    const answersToMargin = missingForMargin(estimate.kept, AUDIT_MARGIN);
    return { topic: this.#topic, mode: this.#mode, counts: session.counts, estimate, answersToMargin };
  }

  async grid(mode: LabelMode | null): Promise<LabelGrid> {
    const session = await this.#sessionIn(mode);
    const questions = await session.upcoming(CARDS);
    return { ...this.#measured(session), cards: questions.map(cardOf) };
  }

  async screen(mode: LabelMode | null): Promise<LabelScreen> {
    const session = await this.#sessionIn(mode);
    const question = await session.next();
    return {
      ...this.#measured(session),
      question,
      places: question === null ? [] : placesOf(session, question.url),
      name: this.#name,
      agreements: session.agreements,
      imported: this.#imported,
      isRunning: session.isRunning,
      canTrain: session.trainable && session.missing === null && session.unused,
      training: this.#training,
      disagreements: session.disagreements.map(({ url, person, model }) => ({ url, person, model })),
    };
  }

  async answerAll(answers: Map<string, Answer>): Promise<void> {
    const stored = await storeAll(await this.session(), answers);
    if (stored > 0) this.#steps.push(stored);
    this.#training = null;
    this.#imported = null;
  }

  async noneOf(url: string, place: string): Promise<void> {
    const session = await this.session();
    if (session.isAnswered(url)) return;
    if (session.unansweredOf(place) > MOST_OF_PLACE) throw new UsageError(STRINGS.label.tooMany);
    // The person has seen this page, so it is an answer to its question.
    const stored = await storeAll(session, new Map([[url, 'n']]));
    if (stored === 0) return;
    this.#steps.push(stored + (await session.noneOf(place)));
    this.#training = null;
  }

  /** @throws UsageError for a text that is no name */
  async name(text: string): Promise<void> {
    const name = text.trim() === '' ? null : person.read([text.trim()], STRINGS.label.name);
    await this.close();
    this.#name = name;
  }

  async importText(text: string): Promise<void> {
    this.#imported = await (await this.session()).importText(text);
    this.#steps = [];
  }

  async undo(): Promise<void> {
    await (await this.session()).undo(this.#steps.pop());
  }

  /** A session that is opened for this label alone ends with it, so that it does not keep the crawl from running. */
  async label(url: string, answer: Answer): Promise<void> {
    const wasOpen = this.#open !== null;
    try {
      if (!(await (await this.session()).answerPage(url, answer))) throw new UsageError(STRINGS.label.noPage(url));
      this.#steps.push(1);
      this.#training = null;
    } finally {
      if (!wasOpen) await this.close();
    }
  }

  async train(): Promise<void> {
    const session = await this.session();
    this.#steps = [];
    if (!session.isRunning) this.#training = { kind: 'trained', report: await session.relabel() };
    else if (await session.requestTraining()) this.#training = { kind: 'requested' };
  }

  async undoTraining(): Promise<void> {
    this.#training = { kind: 'undone', report: await (await this.session()).undoRelabelling() };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    this.#steps = [];
    await open?.close();
  }
}

/**
 * A running crawl that asks or trains changes the next questions while a person looks at the earlier ones: their answers are labels like any other.
 * @returns how many were stored: none of a form that was sent twice
 */
async function storeAll(session: Labelling, answers: Map<string, Answer>): Promise<number> {
  let stored = 0;
  for (let question = await session.next(); question !== null; question = await session.next()) {
    const answer = answers.get(question.url);
    if (answer === undefined) break;
    await session.answer(answer);
    answers.delete(question.url);
    stored += 1;
  }
  for (const [url, answer] of answers) if (!session.isAnswered(url) && (await session.answerPage(url, answer))) stored += 1;
  return stored;
}

/** The page itself counts too: it is answered with them. */
function placesOf(session: Labelling, url: CanonicalUrl): AnsweredPlace[] {
  const places = [['host', hostNameOf(url)] as const, ['directory', directoryOf(url)] as const];
  return places.map(([kind, place]) => ({ kind, place, pages: session.unansweredOf(place) }));
}

/** The best part of the text that the session shows. */
function cardOf({ url, title, passage, explanation }: Question): GridCard {
  return { url, title, passage: bestPassage(passage.text, explanation.contributions, CARD_CHARS) };
}
