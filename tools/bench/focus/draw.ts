/** From a topic and a seed to a trial: examples drawn by label, a page model trained from them alone, and starts. */
import { pageTexts } from '../../../src/base/core/page-texts.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import type { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../../src/reading/extract/text-method-names.ts';
import { type Background, loadBackground } from '../../../src/reading/topic/background.ts';
import { parseRule } from '../../../src/reading/topic/rule.ts';
import { trainKeywords } from '../../../src/reading/topic/train-keywords.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { storedTraining } from '../../../src/reading/topic/training-file.ts';
import { rememberedWordVectors } from '../../../src/reading/topic/word-vector-source.ts';
import type { WebGraph } from '../../../src/study/eval/graph.ts';
import { Guide } from '../../../src/study/eval/guide.ts';
import { judgeByLabels } from '../../../src/study/eval/page-judges.ts';
import type { SimulatedPerson } from '../../../src/study/eval/simulated-labelling.ts';
import type { Trial } from '../../../src/study/eval/trial.ts';
import type { FocusTopic } from './topics.ts';

/** What the page model is made of: the examples, or a few words as somebody would write who has none: those that speak most for the topic. */
export const GUIDES = ['examples', 'keywords'] as const;
export type GuideKind = (typeof GUIDES)[number];
/** Word vectors of the model. */
export const VECTOR_KINDS = ['bundled', 'none'] as const;
type VectorKind = (typeof VECTOR_KINDS)[number];

const KEYWORDS = 5;
/** As a researcher would have; they are never found again: see `judgeByLabels`. */
const EXAMPLES = 20;
/** Manuals have small subjects. */
const EXAMPLES_OF_MANUAL = 10;
const STARTS = 3;
/** Of those, front pages of portals where there are some: few hosts of the Debian web link to another. */
const PORTAL_STARTS = 2;

/** The trial of one seed. The examples are pages of the topic, and starts are other pages of it. Some two seconds. */
export async function drawTrial(
  topic: FocusTopic,
  web: FrozenWeb,
  graph: WebGraph,
  seed: number,
  guide: GuideKind = 'examples',
  vectors: VectorKind = 'bundled',
): Promise<Trial> {
  const wanted = web.urls.filter((url, i) => topic.isOnTopic(url) && web.visit(i).kind === 'page').sort();
  const drawn = shuffled(wanted, seededRng(seed));
  const count = topic.web.kind === 'manual' ? EXAMPLES_OF_MANUAL : EXAMPLES;
  const examples = drawn.slice(0, count);
  const portals = shuffled(
    web.urls.filter((url) => topic.web.kind === 'portals' && isPortalFront(url)),
    seededRng(seed),
  ).slice(0, PORTAL_STARTS);
  const labels = new Map(wanted.map((url) => [url, true]));
  const pupil = await pupilOf(topic, web, examples, seed, { guide, vectors });
  return {
    web,
    graph,
    guide: new Guide(web, pupil.model),
    pupil,
    judge: judgeByLabels('labels', web, labels, new Set(examples)),
    starts: [...portals, ...drawn.slice(count, count + STARTS - portals.length)],
    budget: null,
  };
}

function isPortalFront(url: string): boolean {
  return /^http:\/\/portal-\d+\.example\/$/.test(url);
}

async function pupilOf(
  { name }: FocusTopic,
  web: FrozenWeb,
  examples: readonly CanonicalUrl[],
  seed: number,
  { guide, vectors: source }: { readonly guide: GuideKind; readonly vectors: VectorKind },
): Promise<SimulatedPerson> {
  const pages = examples.flatMap((url) => {
    const visit = web.visit(web.indexOf(url));
    if (visit.kind !== 'page') return [];
    return [{ id: url, url, ...pageTexts(visit.content), language: null }];
  });
  const background = without(await loadBackground(), new Set(web.urls.map((url) => new URL(url).hostname)));
  const common = { name, seed, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench', background };
  const wordVectors = await rememberedWordVectors(source);
  const { model, card, rows } = await trainTopic(pages, { ...common, ...(wordVectors && { wordVectors }) });
  const training = storedTraining(rows, model.settings.template, null, source);
  if (guide === 'examples') return { model, training, rule: null, ofKeywords: false, background };
  const words = card.termsFor.map(({ feature }) => feature).filter((feature) => /^\p{L}{3,}$/u.test(feature));
  const ofWords = await trainKeywords({ ...common, keywords: parseRule(words.slice(0, KEYWORDS).join(', ')) });
  return { model: ofWords.model, training: storedTraining([], [], null, source), rule: null, ofKeywords: true, background };
}

/** Pages of the web that is crawled must not have been counter-examples. */
function without(background: Background, hosts: ReadonlySet<string>): Background {
  return { ...background, sample: background.sample.filter(({ host }) => host === null || !hosts.has(host)) };
}
