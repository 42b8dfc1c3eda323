import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageTexts } from '../../../src/base/core/page-texts.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../../src/reading/extract/text-method-names.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { storedTraining } from '../../../src/reading/topic/training-file.ts';
import { contestantOf } from '../../../src/study/eval/contestants.ts';
import { simulate } from '../../../src/study/eval/simulate.ts';
import { simulateAsking } from '../../../src/study/eval/simulate-asking.ts';
import { guideBy, type SimulatedPerson, taught } from '../../../src/study/eval/simulated-labelling.ts';
import { runTrial, type Trial } from '../../../src/study/eval/trial.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type FrozenCase, frozenCase } from './small-web.ts';

/** As few as make a poor model. */
const EXAMPLES = 2;
const BUDGET = 120;

let frozen: FrozenCase;
let trial: Trial;
let pupil: SimulatedPerson;
beforeAll(async () => {
  frozen = await frozenCase();
  pupil = await pupilOf(frozen);
  const guide = await guideBy(pupil.model, frozen.web);
  trial = { ...frozen, guide, pupil, starts: frozen.onTopic.slice(0, 3), budget: BUDGET };
}, 120_000);
afterAll(() => frozen.close());

async function pupilOf({ web, onTopic }: FrozenCase): Promise<SimulatedPerson> {
  const pages = onTopic.slice(-EXAMPLES).flatMap((url) => {
    const visit = web.visit(web.indexOf(url));
    if (visit.kind !== 'page') return [];
    return [{ id: url, url, ...pageTexts(visit.content), language: null }];
  });
  const common = { name: 'one', seed: 1, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'test' };
  const { model, rows } = await trainTopic(pages, common);
  const training = storedTraining(rows, model.settings.template, null, 'none');
  return { model, training, rule: null, ofKeywords: false };
}

function asking(moments: readonly (readonly [questions: number, visits: number])[], relevant = trial.judge.relevant, warmUp = 0) {
  const { scorer, tunnel, explore, tie } = contestantOf('apprentice', trial, 4, 1);
  const asks = moments.map(([questions, visits]) => ({ questions, after: () => visits }));
  return simulateAsking({ ...trial, budget: BUDGET, pupil, scorer, tunnel, explore, tie, asks, warmUp, relevant, seed: 1 });
}

const plain = () => {
  const { scorer, tunnel, explore, tie } = contestantOf('apprentice', trial, 4, 1);
  return simulate({ ...trial, budget: BUDGET, scorer: scorer(trial.guide.model.threshold), tunnel, explore, tie });
};

wholeTest(
  'the visits before the questions stay, then the trained model leads elsewhere; answers are counted, not visits',
  async () => {
    const [asked, without] = [await asking([[20, 40]]), await plain()];
    expect(asked).toMatchObject({ answers: 20, trainings: 1 });
    expect(asked.order).toHaveLength(BUDGET);
    expect(new Set(asked.order).size).toBe(BUDGET);
    expect(asked.order.slice(0, 40)).toEqual(without.order.slice(0, 40));
    expect(asked.order).not.toEqual(without.order);
  },
  120_000,
);

wholeTest(
  'the visits of a warm-up count; then the model that they taught leads',
  async () => {
    const [warmed, without] = [await asking([], trial.judge.relevant, 8), await plain()];
    expect(warmed).toMatchObject({ answers: 0, trainings: 1 });
    expect(warmed.order).toHaveLength(BUDGET);
    expect(new Set(warmed.order).size).toBe(BUDGET);
    expect(warmed.order.slice(0, 30)).not.toEqual(without.order.slice(0, 30));
    expect((await asking([[20, 60]], trial.judge.relevant, 8)).trainings).toBe(2);
  },
  120_000,
);

wholeTest(
  'the same twice; and other answers, another crawl',
  async () => {
    const one = await asking([
      [10, 30],
      [10, 60],
    ]);
    expect(one.answers).toBe(20);
    expect(
      await asking([
        [10, 30],
        [10, 60],
      ]),
    ).toEqual(one);
    const wrong = await asking(
      [
        [10, 30],
        [10, 60],
      ],
      trial.judge.relevant.map((relevant) => 1 - relevant),
    );
    expect(wrong.order).not.toEqual(one.order);
  },
  240_000,
);

test('too few answers train nothing, and the crawl is that without questions', async () => {
  const [few, without] = [await asking([[3, 40]]), await plain()];
  expect(few).toMatchObject({ answers: 3, trainings: 0 });
  expect(few.order).toEqual(without.order);
}, 120_000);

test('questions after the end of the budget are not asked', async () => {
  expect(await asking([[10, BUDGET]])).toMatchObject({ answers: 0, trainings: 0 });
}, 120_000);

wholeTest(
  'by name, with the answers in the result; nothing to train is refused',
  async () => {
    const result = await runTrial(trial, contestantOf('apprentice@ask12@40', trial, 4, 1));
    expect(result).toMatchObject({ strategy: 'apprentice@ask12@40', answers: 12, visits: BUDGET });
    const { pupil: _, ...without } = trial;
    await expect(runTrial(without, contestantOf('apprentice@ask12@40', without, 4, 1))).rejects.toThrow('cannot be trained again');
  },
  120_000,
);

wholeTest(
  'twenty right answers make another model, four make none',
  async () => {
    const { web, onTopic } = frozen;
    const off = web.urls.filter((url, i) => !onTopic.includes(url) && web.visit(i).kind === 'page');
    const answers = (labels: Map<string, boolean>) => ({ labels, learned: new Map(), share: null, warmUp: [], seed: 1 });
    const true20 = new Map([
      ...onTopic.slice(0, 10).map((url) => [url, true] as const),
      ...off.slice(0, 10).map((url) => [url, false] as const),
    ]);
    expect((await taught(pupil, web, pupil.model, answers(true20)))?.id).not.toBe(pupil.model.id);
    const few = new Map([...true20].slice(0, 4));
    expect(await taught(pupil, web, pupil.model, answers(few))).toBeNull();
  },
  120_000,
);
