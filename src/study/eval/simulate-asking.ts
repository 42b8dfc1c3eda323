/** A simulated crawl that asks about visited pages, is trained with the answers, and continues. */
import { InvariantError } from '../../base/core/errors.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { Unit } from '../../base/core/types.ts';
import { turnsOfWarmUp } from '../../crawling/frontier/exploration.ts';
import { judgedPages } from '../label/judged-pages.ts';
import { estimateShares } from '../label/label-estimate.ts';
import { type Answer, LabelPlan, type LabelState } from '../label/label-queue.ts';
import { type CrawlQuestion, chooseQuestions } from '../label/question-choice.ts';
import type { QuestionRound } from './contestant-suffix.ts';
import { type SimulatedRun, type Simulation, simulate } from './simulate.ts';
import { guideBy, type SimulatedPerson, taught } from './simulated-labelling.ts';

/** A simulation that asks. */
export interface AskingSimulation extends Omit<Simulation, 'scorer' | 'past'> {
  /** A fresh scorer by the model that guides. */
  readonly scorer: (threshold: Unit) => LinkScorer;
  readonly pupil: SimulatedPerson;
  readonly asks: readonly QuestionRound[];
  /** Random visits of the warm-up; 0 for none. */
  readonly warmUp: number;
  /** 1 for URLs whose page is on topic; shape [URLs]. They answer. */
  readonly relevant: Uint8Array;
  /** Seed of the choice of questions and of the training. */
  readonly seed: number;
}

/** Visits of a run that asked questions, and the number of answers. */
export interface AskedRun extends SimulatedRun {
  /** Number of questions that were answered. */
  readonly answers: number;
  /** Number of times that another model became active. */
  readonly trainings: number;
}

/**
 * Asks as `forager crawl --ask` does: about pages that the crawl judged, a third of them drawn at random and the others spread over relevance, hosts and
 * directories. The labels of all questions so far train the model, and a model that held-out labels call worse is not used. Then the crawl is made
 * again under the new model, with the same visits up to that moment: the scorer learns from the new judgements, and all waiting links get new
 * priorities. Answers cost no visit. A page that only the new model finds on topic is not visited again.
 */
export async function simulateAsking(simulation: AskingSimulation): Promise<AskedRun> {
  const { budget, asks, explore, warmUp, pupil, web, seed, signal } = simulation;
  const lessons = new Lessons(simulation);
  let [model, guide, past, trainings] = [pupil.model, simulation.guide, [] as readonly number[], 0];
  const random = warmUp > 0 ? { share: explore?.share ?? 0, seed, warmUp } : explore;
  const until = (visits: number) =>
    simulate({ ...simulation, guide, scorer: simulation.scorer(guide.model.threshold), past, budget: visits, explore: random });
  const warming: readonly QuestionRound[] = warmUp > 0 ? [{ questions: 0, after: () => turnsOfWarmUp(warmUp) }] : [];
  for (const { questions, after } of [...warming, ...asks].sort((a, b) => a.after(budget) - b.after(budget))) {
    if (after(budget) >= budget || signal?.aborted) break;
    const run = await until(after(budget));
    if (questions === 0) lessons.warmUp = run.warmUp;
    else lessons.ask(run, guide.model.threshold, questions);
    const trained = await taught(pupil, web, model, { ...lessons.answers(run), seed });
    if (trained === null) continue;
    [model, guide, past] = [trained, await guideBy(trained, web), run.order];
    lessons.learn();
    trainings += 1;
  }
  return { ...(await until(budget)), answers: lessons.asked, trainings };
}

/** The questions of a run and their answers. */
class Lessons {
  readonly #simulation: AskingSimulation;
  readonly #answers = new Map<string, Answer>();
  readonly #questions: CrawlQuestion[] = [];
  #learned: ReadonlyMap<string, boolean> = new Map();
  warmUp: readonly number[] = [];

  constructor(simulation: AskingSimulation) {
    this.#simulation = simulation;
  }

  get asked(): number {
    return this.#answers.size;
  }

  ask(run: SimulatedRun, threshold: Unit, count: number): void {
    const { seed, web, relevant } = this.#simulation;
    const pages = pagesOf(run);
    const plan = new LabelPlan(pages, { threshold, trainedHosts: new Set(), seed });
    for (const question of chooseQuestions(pages, plan, this.#state(), this.#questions, count)) {
      const index = web.indexOf(question.url);
      if (index < 0) throw new InvariantError(`eval: asked about ${question.url}, which is not in the web`);
      this.#questions.push(question);
      this.#answers.set(question.url, relevant[index] === 1 ? 'y' : 'n');
    }
  }

  answers(run: SimulatedRun) {
    const share = estimateShares(pagesOf(run), this.#state(), this.#simulation.seed).judged?.share ?? null;
    return { labels: this.#labels(), learned: this.#learned, share, warmUp: this.warmUp };
  }

  /** A model with all labels so far is active. */
  learn(): void {
    this.#learned = this.#labels();
  }

  #labels(): Map<string, boolean> {
    return new Map([...this.#answers].map(([url, answer]) => [url, answer === 'y']));
  }

  #state(): LabelState {
    const drawn = new Set(this.#questions.filter(({ queue }) => queue === 'random').map(({ url }) => url));
    return { answers: this.#answers, drawn, turns: 0 };
  }
}

function pagesOf({ ledger }: SimulatedRun) {
  return judgedPages({ frontier: { requested: () => ledger }, lost: new Set() });
}
