import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { LinkJudgement } from '../../base/core/parts/reading.ts';
import type { DocumentKind } from '../../reading/documents/document-kind.ts';
import { documentKindsNamed } from '../../reading/documents/document-kinds.ts';
import type { ExtractorOptions, PageExtractor } from '../../reading/extract/extractor.ts';
import { LinkFeatures } from '../../reading/links/link-features.ts';
import { Committee } from '../../reading/topic/committee.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { CoreJudge } from '../../reading/wasm-reader/core-judge.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../reading/wasm-reader/wasm-core.ts';
import { type PageLanguage, pageLanguage } from './page-language.ts';

/** The parts that read pages in one thread, one after another. */
export interface PageReading {
  readonly extractor: Pick<PageExtractor, 'extractWithLayout'>;
  readonly committee: Committee;
  /** Words of links that are judged. */
  readonly judgement: LinkJudgement;
  /** Hashes links for a link scorer that wants it; null if none does. */
  readonly hashing: LinkFeatures | null;
  readonly languageOf: PageLanguage;
  /** Judges pages that `extractor` has parsed in the same core; null judges all in JavaScript. */
  readonly core: CoreJudge | null;
  /** Kinds of documents that are pages. */
  readonly documents: readonly DocumentKind[];
}

/**
 * @param models must need the same extractor, that of `options`
 * @param hashing whether links are hashed
 * @param documents kinds of documents that are pages
 */
export async function pageReading(
  models: readonly LinearTopicModel[],
  judgement: LinkJudgement,
  options: ExtractorOptions,
  hashing = false,
  documents: readonly DocumentKindName[] = [],
): Promise<PageReading> {
  const core = new WasmCore();
  const committee = new Committee(models);
  return {
    extractor: pageExtractor(options, core),
    committee,
    judgement,
    hashing: hashing ? new LinkFeatures() : null,
    languageOf: await pageLanguage(...models),
    core: new CoreJudge(core, models, committee),
    documents: documentKindsNamed(documents),
  };
}
