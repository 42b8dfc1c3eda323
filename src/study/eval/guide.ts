import type { FrozenLink } from '../../base/core/frozen-visit.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { LinkJudgement, ReadLink, TopicModel } from '../../base/core/parts/reading.ts';
import type { Unit } from '../../base/core/types.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { judgeAnchor, judgeContext } from '../../reading/links/link-words.ts';

type PageModel = Pick<TopicModel, 'id' | 'threshold' | 'judge' | 'judgeText' | 'steeredAs'>;

/** The judgements of a page model about a frozen web. Each page and link is judged once, for any number of strategies. */
export class Guide {
  readonly model: PageModel;
  readonly #web: FrozenWeb;
  readonly #labels: ReadonlyMap<string, boolean> | null;
  /** NaN for pages not judged yet. Shape [URLs]. */
  readonly #relevance: Float32Array;
  /** Scores of the links of each page, by their anchor texts and by their contexts. */
  readonly #anchorScores = new Map<number, Float32Array>();
  readonly #contextScores = new Map<number, Float32Array>();

  /**
   * @param labels from URL to whether the page is on topic: they replace the model for pages, and the model judges only the words of links; null
   * without labels
   */
  constructor(web: FrozenWeb, model: PageModel, labels: ReadonlyMap<string, boolean> | null = null) {
    this.#web = web;
    this.model = model;
    this.#labels = labels;
    this.#relevance = new Float32Array(web.size).fill(Number.NaN);
  }

  /** A guide of the same link words that knows which pages are on topic. @param relevant 1 for those; shape [URLs] */
  withTruth(relevant: Uint8Array): Guide {
    return new Guide(this.#web, this.model, new Map(this.#web.urls.map((url, i) => [url, relevant[i] === 1])));
  }

  /** 0 for a URL that gave no page. */
  relevance(index: number): Unit {
    if (Number.isNaN(this.#relevance[index])) this.#relevance[index] = this.#judge(index);
    return this.#relevance[index] ?? 0;
  }

  /** The wish about a page, as a reader tells it. Empty for a model without wishes. */
  steered(index: number): { readonly steered?: 'wanted' | 'unwanted' } {
    const visit = this.#web.visit(index);
    if (visit.kind !== 'page' || !this.model.steeredAs) return {};
    const steered = this.model.steeredAs({ ...pageTexts(visit.content), url: visit.url }, this.relevance(index));
    return steered === null ? {} : { steered };
  }

  /** The links of a page with the model's judgement of their words, if requested. */
  links(index: number, links: readonly FrozenLink[], judgement: LinkJudgement): ReadLink[] {
    const scoresOf = (known: Map<number, Float32Array>, judge: typeof judgeAnchor) => {
      const scores = known.get(index) ?? Float32Array.from(links, ({ text }) => judge(text, this.model));
      known.set(index, scores);
      return scores;
    };
    const anchors = judgement === 'anchor-and-context' ? scoresOf(this.#anchorScores, judgeAnchor) : null;
    const contexts = judgement === 'none' ? null : scoresOf(this.#contextScores, judgeContext);
    return links.map(({ url, text }, i) => ({
      url,
      text: { ...text, anchorScore: anchors?.[i] ?? null, contextScore: contexts?.[i] ?? null },
    }));
  }

  #judge(index: number): Unit {
    const visit = this.#web.visit(index);
    if (visit.kind !== 'page') return 0;
    if (this.#labels) return this.#labels.get(visit.url) ? 1 : 0;
    return this.model.judge({ ...pageTexts(visit.content), url: visit.url });
  }
}
