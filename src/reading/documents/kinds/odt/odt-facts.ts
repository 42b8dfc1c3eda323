import { isoDate } from '../../../../base/text/iso-date.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { type DocumentFacts, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import { statedNames, statedValue } from '../../stated-values.ts';
import type { XmlElement } from '../../xml-tree.ts';

/** Facts of `meta.xml` (ODF 1.3 part 3 §4.3). The creator of Dublin Core is there who saved the file last. */
export function odtFacts(meta: XmlElement): DocumentFacts {
  const first = statedNames(meta, 'initial-creator');
  return {
    ...NO_DOCUMENT_FACTS,
    title: statedValue(meta, 'title'),
    authors: first.length > 0 ? first : statedNames(meta, 'creator'),
    published: isoDate(statedValue(meta, 'creation-date') ?? ''),
    modified: isoDate(statedValue(meta, 'date') ?? ''),
    language: normaliseLang(statedValue(meta, 'language')),
    producer: statedValue(meta, 'generator'),
  };
}
