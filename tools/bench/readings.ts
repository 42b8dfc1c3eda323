/** Pages of a built Debian web as a topic model sees them, by one extractor or another. Each is read once. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { decodeText } from '../../src/base/web/charset.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { BlockModel } from '../../src/reading/extract/block-model.ts';
import { modelDecision, ROLE, textOf, visibleBlocks } from '../../src/reading/extract/main-text.ts';
import { MAX_PAGE_CHARS } from '../../src/reading/extract/page-caps.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { clipped, FeatureCounter, type FeatureCounts } from '../../src/reading/topic/features.ts';
import type { TrainingPage } from '../../src/reading/topic/train-topic.ts';
import { CoreParser } from '../../src/reading/wasm-reader/core-parser.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../src/reading/wasm-reader/wasm-core.ts';

/** An extractor's method; or the visible text that `block` leaves out, alone and without the page's title. */
export type Way = MainTextMethod | 'boilerplate';

export class Readings {
  readonly #web: string;
  readonly #extractors = new Map(
    MAIN_TEXT_METHODS.map((method) => [method, pageExtractor({ productToken: 'forager', extractor: method })]),
  );
  readonly #parser = new CoreParser(new WasmCore());
  readonly #model = BlockModel.bundled();
  readonly #counter = new FeatureCounter();
  readonly #pages = new Map<string, TrainingPage>();
  readonly #counts = new Map<string, FeatureCounts>();

  constructor(web: string) {
    this.#web = web;
  }

  /** @param path below the web's folder */
  page(path: string, way: Way): TrainingPage {
    return kept(this.#pages, `${way} ${path}`, () => this.#read(path, way));
  }

  counts(path: string, way: Way): FeatureCounts {
    return kept(this.#counts, `${way} ${path}`, () => this.#counter.snapshot(this.page(path, way)));
  }

  #read(path: string, way: Way): TrainingPage {
    const url = urlOf(path);
    const body = readFileSync(join(this.#web, path));
    const extractor = way === 'boilerplate' ? undefined : this.#extractors.get(way);
    if (extractor === undefined) return { id: path, url, title: '', text: clipped(this.#boilerplateOf(body)), language: null };
    const { title, text } = extractor.extract({ url, headers: {}, body });
    return { id: path, url, title, text: clipped(text), language: null };
  }

  #boilerplateOf(body: Uint8Array): string {
    const content = this.#parser.parse(decodeText(body, null, true).text.slice(0, MAX_PAGE_CHARS));
    const main = modelDecision(content, this.#model).roles;
    return textOf(
      content,
      visibleBlocks(content.blocks).map((role, i) => (main[i] === ROLE.text ? ROLE.outside : role)),
    );
  }
}

function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

function urlOf(path: string): CanonicalUrl {
  const url = canonicalize(`http://${path.split('/').map(encodeURIComponent).join('/')}`);
  if (url === null) throw new Error(`${path}: makes no URL`);
  return url;
}
