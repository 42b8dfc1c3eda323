import { isoDate } from '../../../../base/text/iso-date.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { type DocumentFacts, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import type { OfficePackage } from '../../office-package.ts';
import { statedNames, statedValue } from '../../stated-values.ts';
import type { XmlElement } from '../../xml-tree.ts';
import { partOfType, type Relationship } from './docx-parts.ts';

/** The library python-docx copies these facts of its template into each document. */
const TEMPLATE = { author: 'python-docx', created: '2013-12-23T23:15:00Z' };

/** Facts of the parts for properties (ISO/IEC 29500-2 §11, 29500-1 §22.2). */
export function docxFacts(file: OfficePackage, relationships: readonly Relationship[]): DocumentFacts {
  const core = file.optionalXml(partOfType(relationships, 'core-properties', 'docProps/core.xml'));
  const app = file.optionalXml(partOfType(relationships, 'extended-properties', 'docProps/app.xml'));
  const created = dateIn(core, 'created');
  const isTemplate = created === TEMPLATE.created;
  return {
    ...NO_DOCUMENT_FACTS,
    title: statedValue(core, 'title'),
    authors: statedNames(core, 'creator').filter((name) => name !== TEMPLATE.author),
    published: isTemplate ? null : created,
    modified: isTemplate && dateIn(core, 'modified') === created ? null : dateIn(core, 'modified'),
    language: normaliseLang(statedValue(core, 'language')),
    producer: [statedValue(app, 'application'), statedValue(app, 'appversion')].filter((value) => value !== null).join(' ') || null,
  };
}

function dateIn(root: XmlElement, name: string): string | null {
  return isoDate(statedValue(root, name) ?? '');
}
