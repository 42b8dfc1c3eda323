/** The judge of an evaluation, and its data. */
import type { CanonicalUrl } from '../../base/core/types.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { loadTopic, methodOf } from '../../crawling/crawl-dir/load-topic.ts';
import type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
import { loadCard } from '../../reading/topic/files.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { readLabels } from '../label/label-import.ts';
import { ruleAfterLabels } from '../label/retrain.ts';
import type { Guide } from './guide.ts';
import { type Judge, judgeByLabels, judgeByModel } from './page-judges.ts';
import { guideBy, type SimulatedPerson } from './simulated-labelling.ts';

/** A topic model as judge of a frozen web. */
export interface OpenModel {
  readonly model: LinearTopicModel;
  /** The extractor of its training pages. */
  readonly extractor: MainTextMethod;
  /** @param labels as in `Guide` */
  on(web: FrozenWeb, labels: ReadonlyMap<string, boolean> | null): Promise<Guide>;
  /** Trains the model again with answers; null if its training pages are not stored. */
  readonly pupil: SimulatedPerson | null;
}

export interface OpenJudge {
  readonly judge: Judge;
  /** True if the same model guides. */
  readonly isGuide: boolean;
  /** Notes about it for the report. */
  readonly notes: readonly string[];
}

/** Prefix of a model as a judge. */
const MODEL = 'model:';

/** @throws UsageError, ModelError as `loadTopic` */
export async function openModel(dir: string): Promise<OpenModel> {
  const model = await loadTopic(dir);
  return {
    model,
    extractor: methodOf(model, dir),
    on: (web, labels) => guideBy(model, web, labels),
    pupil: await pupilOf(dir, model),
  };
}

async function pupilOf(dir: string, model: LinearTopicModel): Promise<SimulatedPerson | null> {
  const training = await readTraining(dir);
  if (training === null) return null;
  const card = await loadCard(dir);
  return { model, training, ...ruleAfterLabels(card, model) };
}

/** The case that a judge decides. */
export interface Case {
  readonly web: FrozenWeb;
  readonly guide: Guide;
  /** URLs of the examples, which are never on topic. */
  readonly examples: ReadonlySet<CanonicalUrl>;
  /** Called before each page that a model judges. */
  readonly ask: (done: number) => Promise<void>;
}

/** A judge with its data loaded, ready for a case. */
export interface ReadJudge {
  /** Labels, from URL to whether the page is on topic; null for a model. */
  readonly labels: ReadonlyMap<string, boolean> | null;
  open(of: Case): Promise<OpenJudge>;
}

/**
 * Reads the data of the judge; judging itself needs a web.
 * @param spec a file of labels, or `model:` and the folder of a model
 * @throws UsageError, DataError naming file and line, ModelError
 */
export async function readJudge(spec: string): Promise<ReadJudge> {
  if (spec.startsWith(MODEL)) {
    const opened = await openModel(spec.slice(MODEL.length));
    return { labels: null, open: (of) => judgedByModel(opened, of) };
  }
  const labels = new Map<string, boolean>(readLabels(spec).map(({ url, answer }) => [url, answer === 'y']));
  return { labels, open: (of) => Promise.resolve(judgedByLabels(spec, labels, of)) };
}

async function judgedByModel(opened: OpenModel, { web, guide, examples, ask }: Case): Promise<OpenJudge> {
  const { model } = opened;
  const isGuide = model.id === guide.model.id;
  const judge = isGuide ? guide : await opened.on(web, null);
  for (let i = 0; i < web.size; i++) {
    await ask(i);
    judge.relevance(i);
  }
  const notes = otherExtractor('judge', opened, web);
  return { judge: judgeByModel(`model ${model.name} (${model.id})`, web, judge, examples), isGuide, notes };
}

function judgedByLabels(path: string, labels: ReadonlyMap<string, boolean>, { web, examples }: Case): OpenJudge {
  const unknown = [...labels.keys()].filter((url) => web.indexOf(url) < 0).length;
  const notes = unknown === 0 ? [] : [`${unknown} of ${labels.size} labels are of URLs that are not in this web: they count for nothing`];
  return { judge: judgeByLabels(path, web, labels, examples), isGuide: false, notes };
}

/** A note if the text that a model judges comes from another extractor than its training pages. */
export function otherExtractor(role: 'guide' | 'judge', { extractor, model }: OpenModel, { header }: FrozenWeb): string[] {
  if (header.extractor === null || header.extractor === extractor) return [];
  return [
    `The ${role}, model ${model.name}, was trained on text of the extractor ${extractor}; this web has text of ${header.extractor}: judgements may be off`,
  ];
}
