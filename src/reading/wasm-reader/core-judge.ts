import { sigmoid } from '../../base/core/odds.ts';
import type { LinkJudgement, ReadLink } from '../../base/core/parts/reading.ts';
import type { LinkHashes, Outlink, Simhash, Unit } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { squeezedHead } from '../../base/text/squeeze.ts';
import { LINE, LINE_SIZE, type PageContent } from '../extract/blocks.ts';
import { ROLE } from '../extract/main-text.ts';
import type { PageLayout } from '../extract/page-layout.ts';
import type { Committee, CommitteeJudgement } from '../topic/committee.ts';
import { clipped, MAX_CHARS, pathText } from '../topic/features.ts';
import { coreTable } from '../topic/meaning-tables.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import type { KeptTable, WasmCore } from './wasm-core.ts';

/** Numbers of a link's places; see `outlinksOf`. */
const PLACES = 6;

/** The judged parts of an extracted page. */
type Judged = Parameters<LinearTopicModel['relevanceAt']>[1] & { readonly url: string | null };

/** The part of a page's layout that is judged. */
type Layout = Omit<PageLayout, 'content'> & { readonly content: Pick<PageContent, 'text' | 'lines'> };

/** A page in the core, with the addresses of the roles of its blocks. */
interface PageWords {
  readonly layout: Layout;
  readonly count: number;
  readonly chosen: number;
  readonly others: number;
  /** Ranges of the words of title and path; null if JavaScript has to read them. */
  readonly title: readonly [number, number] | null;
  readonly path: readonly [number, number] | null;
}

/** A model with its tables in the core. */
interface JudgingModel {
  readonly model: LinearTopicModel;
  readonly table: KeptTable;
  /** null without word vectors. */
  readonly meaning: KeptTable | null;
}

/** Judges the page that the core has just parsed, or plain text, from one reading of its words. Each answer is null where it is left to JavaScript. */
export class CoreJudge {
  readonly #core: WasmCore;
  readonly #committee: Committee;
  readonly #models: readonly JudgingModel[];
  /** The scores of one text, of each model; the same array for every text. */
  readonly #scores: Unit[] = [];
  #page: PageWords | null = null;
  /** Address of the links of the page; 0 before they are put there. */
  #links = 0;

  /** @param models the members of `committee` */
  constructor(core: WasmCore, models: readonly LinearTopicModel[], committee: Committee) {
    this.#core = core;
    this.#committee = committee;
    this.#models = models.map((model) => {
      const { meaning } = model.tables;
      return { model, table: core.keep(model.paired), meaning: meaning === undefined ? null : core.keep(coreTable(meaning)) };
    });
  }

  /**
   * Reads the words of the page. Pages with words of scripts without spaces, and books in HTML, are left to JavaScript.
   * @param layout null for a page whose text does not follow from blocks
   */
  open(page: Judged, layout: PageLayout | null): void {
    this.#links = 0;
    this.#page = null;
    this.#page = this.#orNull(() => (layout === null ? this.#plainWords(page) : this.#wordsInCore(page, layout)));
  }

  /** An answer of the core; null after a trap, which leaves the rest of the page to JavaScript. */
  #orNull<T>(ask: () => T | null): T | null {
    try {
      return ask();
    } catch {
      this.#page = null;
      this.#core.renew();
      return null;
    }
  }

  /** An answer about the open page, if there is one. */
  #ask<T>(ask: (page: PageWords) => T | null): T | null {
    const page = this.#page;
    return page === null ? null : this.#orNull(() => ask(page));
  }

  #wordsInCore(page: Judged, layout: PageLayout): PageWords | null {
    const isBook = page.text.length > MAX_CHARS || (page.otherText ?? '').length > MAX_CHARS;
    return layout.content === this.#core.content && !isBook ? this.#words(page, layout) : null;
  }

  /** Words of plain text, which is one block, and has nothing else. Its fingerprint counts characters without its lines. */
  #plainWords(page: Judged): PageWords | null {
    if (page.otherText) return null;
    const text = squeezedHead(page.text, MAX_CHARS);
    this.#core.putPlain(text);
    const content = { text, lines: Int32Array.of(0, text.length, 0) };
    return this.#words(page, { content, chosen: Uint8Array.of(ROLE.text), others: Uint8Array.of(ROLE.outside), places: [] });
  }

  #words(page: Judged, layout: Layout): PageWords | null {
    const { memory } = this.#core;
    const title = clipped(page.title);
    const path = clipped(pathText(page.url));
    this.#core.readWords(layout.content.text, title.length + path.length);
    if (memory.core.isUnspaced.value) return null;
    const count = memory.core.wordCount.value;
    return {
      layout,
      count,
      chosen: this.#put(layout.chosen),
      others: this.#put(layout.others),
      title: this.#core.readOther(title),
      path: this.#core.readOther(path),
    };
  }

  #put(roles: Uint8Array): number {
    const { memory } = this.#core;
    const at = memory.core.take(roles.length);
    memory.bytes.set(roles, at);
    return at;
  }

  judge(page: Judged): CommitteeJudgement | null {
    return this.#ask((words) => this.#judge(page, words));
  }

  #judge(page: Judged, words: PageWords): CommitteeJudgement | null {
    const { core } = this.#core.memory;
    const { title, path } = words;
    if (title === null || path === null) return null;
    const relevances = this.#models.map((judging) => {
      const { model, table } = judging;
      this.#setMeaning(judging);
      core.startCount();
      core.addBlocks(words.chosen, ROLE.text, words.count);
      core.addBlocks(this.#ownRoles(model, words), ROLE.text, words.count);
      core.addTitle(...title);
      core.addUrl(...path);
      const logit = core.logit(table.at, model.settings.bias);
      core.reset();
      return model.relevanceAt(logit, page);
    });
    return this.#committee.judgementOf(relevances);
  }

  /** Has the next texts judged by the directions of words of this model. */
  #setMeaning({ model, meaning }: JudgingModel): void {
    this.#core.memory.core.setMeaning(meaning?.at ?? 0, model.tables.meaning?.step ?? 0);
  }

  /** The roles of the other text without the template of a model: each of its lines is a block. */
  #ownRoles({ template }: LinearTopicModel, { layout, others }: PageWords): number {
    if (template.size === 0) return others;
    const { text, lines } = layout.content;
    const own = layout.others.slice();
    for (let i = 0, at = 0; i < own.length; i++, at += LINE_SIZE) {
      if (own[i] !== ROLE.text) continue;
      const line = hashText(text, lines[at + LINE.start] as number, lines[at + LINE.end] as number) >>> 1;
      if (template.has(line)) own[i] = ROLE.outside;
    }
    return this.#put(own);
  }

  simhash(): Simhash | null {
    return this.#ask(({ chosen, count }) => {
      const { core } = this.#core.memory;
      return core.simhash(chosen, ROLE.text, count) ? [core.simhashHigh.value >>> 0, core.simhashLow.value >>> 0] : null;
    });
  }

  /** The judgements of the links of the page; null for a link that is left to JavaScript: one with an image, or with a place inside a word. */
  judgeLinks(
    links: readonly Outlink[],
    judgement: LinkJudgement,
  ): readonly (Pick<ReadLink['text'], 'anchorScore' | 'contextScore'> | null)[] | null {
    if (judgement === 'none') return null;
    const withAnchor = judgement === 'anchor-and-context';
    const logits = this.#ask((page) => this.#logitsOf(this.#linksOf(page, links), links.length, withAnchor));
    if (logits === null) return null;
    const [first] = logits;
    return links.map((_, i) => {
      if (first === undefined || Number.isNaN(first[2 * i + 1])) return null;
      return { anchorScore: withAnchor ? this.#score(logits, 2 * i) : null, contextScore: this.#score(logits, 2 * i + 1) };
    });
  }

  #score(logits: readonly Float64Array[], at: number): Unit {
    const scores = this.#scores;
    for (let model = 0; model < logits.length; model++) scores[model] = sigmoid(logits[model]?.[at] as number);
    return this.#committee.combined(scores);
  }

  /** The hashes of the links of the page; null for a link that is left to JavaScript. */
  hashLinks(links: readonly Outlink[]): readonly (LinkHashes | null)[] | null {
    return this.#ask((page) => this.#hashLinks(page, links));
  }

  #hashLinks(page: PageWords, links: readonly Outlink[]): readonly (LinkHashes | null)[] {
    const { memory } = this.#core;
    const { core } = memory;
    const at = this.#linksOf(page, links);
    const urls = links.map(({ url }) => url).join('\n');
    const urlsAt = core.take(2 * urls.length);
    memory.putText(urlsAt, urls);
    core.hashLinks(at, links.length, urlsAt, urls.length);
    const { words } = memory;
    const ends = core.hashEnds.value >> 2;
    let size = 0;
    for (let i = 1; i < 2 * links.length; i += 2) size = Math.max(size, words[ends + i] as number);
    const from = core.hashes.value >> 2;
    const numbers = words.slice(from, from + size);
    const all: (LinkHashes | null)[] = [];
    for (let i = 0, start = 0; i < links.length; i++) {
      const end = words[ends + 2 * i + 1] as number;
      all.push(end === 0 ? null : { numbers, start, places: words[ends + 2 * i] as number, end });
      if (end > 0) start = end;
    }
    return all;
  }

  /** Puts the links of the page into the core, once, with the words of their places. @returns their address */
  #linksOf({ layout: { places }, count }: PageWords, links: readonly Outlink[]): number {
    if (this.#links !== 0) return this.#links;
    const { memory } = this.#core;
    const at = memory.core.takeLinks(links.length);
    const { ints } = memory;
    const first = at >> 2;
    ints.set(places, first);
    ints.fill(-1, first + places.length, first + PLACES * links.length);
    for (let i = 0; i < links.length; i++) if (links[i]?.imageAlt !== '') ints[first + PLACES * i] = -1;
    memory.core.findWords(at, links.length, count);
    this.#links = at;
    return at;
  }

  /** Logits of the anchor and of the anchor with its context of each link, for each model. */
  #logitsOf(at: number, count: number, withAnchor: boolean): readonly Float64Array[] {
    const { memory } = this.#core;
    return this.#models.map((judging) => {
      const { model, table } = judging;
      this.#setMeaning(judging);
      memory.core.judgeLinks(at, count, withAnchor, table.at, model.settings.bias);
      return memory.doubles(at + 4 * PLACES * count, 2 * count).slice();
    });
  }
}
