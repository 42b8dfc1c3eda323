/** A crawl with a page, killed outright again and again while a person labels on the page: every answer that the page confirmed must be stored. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningGeneratedWeb, startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { crawlPaths } from '../../src/crawling/crawl-dir/crawl-directory.ts';
import { train } from '../../src/faces/app/train-from-pages.ts';
import { verify } from '../../src/study/repair/verify-crawl.ts';
import { PageClient } from '../../test/faces/web-ui/page-client.ts';
import { answerFaults } from './answer-faults.ts';
import { CLI, ended, pause, requireDone } from './crash-bench.ts';
import { Memory, PagePerson } from './page-answers.ts';
import { childrenOf, killAll, killGroup, theirEnd } from './process-tree.ts';

const TOPIC = 'topic-1';
/** A run asks for so many URLs at once, and then for one at a time, seldom: however slow the machine is, no run ends before its kill. */
const BURST = 40;
const QUICK: Ms = 30;
const SLOW: Ms = 2000;
/** Visits of a run, with those of its training. */
const PAGES_A_RUN = 110;
/** Of a moment: so many answers come first, at most. */
const MOST_ANSWERS = 8;
/** Then the kill comes up to so long after: a request takes less. */
const JITTER: Ms = 300;
/** The same after a request for a training, which begins within ten visits and takes a second or two. */
const TRAINING: Ms = 3000;
/** A form takes some ten milliseconds. */
const FORM: Ms = 15;

export interface KilledAnswersOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly moments: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface KilledAnswersReport {
  readonly faults: readonly string[];
  /** Confirmed answers, those to all pages of a host included. */
  readonly confirmed: number;
  /** Kills while a request was under way. */
  readonly inRequest: number;
  /** Kills after a training was asked for. */
  readonly inTraining: number;
  readonly memory: Memory;
}

/** Needs `dist`. */
export async function killedAnswers(options: KilledAnswersOptions): Promise<KilledAnswersReport> {
  const soak = await KilledAnswers.make(options);
  try {
    return await soak.run(options);
  } finally {
    await soak.close();
  }
}

class KilledAnswers {
  readonly #web: RunningGeneratedWeb;
  readonly #dir: string;
  readonly #args: readonly string[];
  readonly #rng: Rng;
  readonly #pace: Pace;
  readonly #memory = new Memory();
  #inRequest = 0;
  #inTraining = 0;

  private constructor(web: RunningGeneratedWeb, pace: Pace, dir: string, args: readonly string[], rng: Rng) {
    this.#web = web;
    this.#pace = pace;
    this.#dir = dir;
    this.#args = args;
    this.#rng = rng;
  }

  static async make({ folder, moments, seed }: KilledAnswersOptions): Promise<KilledAnswers> {
    const pages = PAGES_A_RUN * (moments + 1);
    const pace = new Pace();
    const web = await startGeneratedWeb(generateWeb({ seed: 3, pages: 2 * pages, hosts: 40, topics: 4, locality: 0.6, hubs: 0.05 }), pace);
    pace.asked = () => web.log.length;
    const examples = join(folder, 'examples');
    mkdirSync(examples);
    // Of all subjects: nearly every page is on topic, so that answers change the model.
    for (const topic of web.web.topics)
      for (const [i, html] of web.web.examples(topic, 6).entries()) writeFileSync(join(examples, `${topic}-${i}.html`), html);
    const [model, dir] = [join(folder, 'model'), join(folder, 'crawl')];
    await train({ examples: [examples], out: model });
    const politeness = ['--proxy', web.proxy, '--delay', '100ms', '--concurrency', '4', '--tunnel', '1000000'];
    const limits = ['--max-pages', String(pages), '--page', '0'];
    const args = ['crawl', dir, '--topic', model, '--seeds', ...web.web.seeds(TOPIC, 3), ...politeness, ...limits];
    return new KilledAnswers(web, pace, dir, args, seededRng(seed));
  }

  close(): Promise<void> {
    return this.#web.close();
  }

  async run({ moments, say }: KilledAnswersOptions): Promise<KilledAnswersReport> {
    const faults: string[] = [];
    for (let moment = 1; moment <= moments; moment++) {
      // Every third is asked to train; every other one takes the processes with it that work for the page.
      const said = await this.#moment(moment % 3 === 2, moment % 2 === 0);
      const found = await this.#check();
      faults.push(...found);
      say(
        `${String(moment).padStart(4)} ${said}; ${this.#confirmed()} answers confirmed; ${found.length === 0 ? 'all there' : `FAULT ${found.join('; ')}`}`,
      );
    }
    this.#pace.isOver = true;
    const last = ended(this.#start());
    requireDone(await last);
    faults.push(...(await this.#check()));
    const [inRequest, inTraining] = [this.#inRequest, this.#inTraining];
    return { faults, confirmed: this.#confirmed(), inRequest, inTraining, memory: this.#memory };
  }

  /** The leader of a group of processes. */
  #start(): ChildProcess {
    this.#pace.from = this.#web.log.length;
    return spawn(process.execPath, [CLI, ...this.#args], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  }

  /** A run of the crawl, answers on its page, and its kill. @returns what it was */
  async #moment(trains: boolean, takesAll: boolean): Promise<string> {
    const crawl = this.#start();
    const address = pageOf(crawl);
    const end = ended(crawl);
    const person = new PagePerson(await PageClient.of(await address), this.#memory, this.#rng, (url) =>
      this.#web.web.topicOf(url) === TOPIC ? 'y' : 'n',
    );
    const answers = 1 + Math.floor(this.#rng() * MOST_ANSWERS);
    for (let given = 0; given < answers; given += Number(await person.answer())) await pause(0);
    if (trains) {
      await person.train();
      this.#pace.from = this.#web.log.length;
    }
    const within = this.#rng() * (trains ? TRAINING : JITTER);
    const children = childrenOf(crawl.pid);
    const gone = answerOn(person);
    await pause(within);
    await this.#formOnItsWay();
    if (takesAll) killAll(crawl, children);
    else killGroup(crawl);
    await gone;
    const { signal, code, stderr } = await end;
    if (signal !== 'SIGKILL') throw new Error(`the crawl ended before its kill, with ${code ?? signal}: ${stderr.slice(-500)}`);
    this.#inRequest += Number(this.#memory.sent.size > 0);
    this.#inTraining += Number(trains);
    await theirEnd(children);
    return `killed ${Math.round(within)} ms after ${answers} forms${trains ? ' and a request for training' : ''}${takesAll ? ', with all its processes' : ''}`;
  }

  /** Waits for one at two moments of three, and then a part of the time that it takes. */
  async #formOnItsWay(): Promise<void> {
    const [waits, part] = [this.#rng() < 2 / 3, this.#rng() * FORM];
    for (let waited = 0; waits && waited < JITTER && this.#memory.sent.size === 0; waited++) await pause(1);
    if (waits) await pause(part);
  }

  async #check(): Promise<string[]> {
    const faults = await answerFaults(crawlPaths(this.#dir), this.#memory);
    const { checks } = await verify({ dir: this.#dir });
    return [...faults, ...checks.flatMap((check) => check.faults)];
  }

  #confirmed(): number {
    return this.#memory.confirmed.size + [...this.#memory.ofHosts.values()].reduce((sum, pages) => sum + pages, 0);
  }
}

/** Answers until the server is gone. */
async function answerOn(person: PagePerson): Promise<void> {
  for (;;) {
    try {
      await person.answer();
    } catch (error) {
      if (!isGone(error)) throw error;
      return;
    }
  }
}

/** The connection broke, or nobody listens. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED');
}

/** The address of the page that a crawl prints. */
function pageOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (text) => {
      said += String(text);
      const [address] = /http:\S+token=\S+(?=\n)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    stderr?.on('end', () => reject(new Error(`the crawl printed no address: ${said.slice(-500)}`)));
  });
}

/** Latency of the web: short for the first requests of a run. */
class Pace {
  /** Requests before this run, or before its training. */
  from = 0;
  isOver = false;
  asked = () => 0;

  get latency(): Ms {
    return this.isOver ? 0 : this.asked() - this.from < BURST ? QUICK : SLOW;
  }
}
