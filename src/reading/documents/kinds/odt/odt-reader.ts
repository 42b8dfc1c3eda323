/** OpenDocument texts, as of LibreOffice Writer. */
import { writtenBlocks } from '../../blocks-html.ts';
import { documentOf, HtmlBody } from '../../document-html.ts';
import type { DocumentReader, DocumentReading } from '../../document-kind.ts';
import { entryName, OfficePackage } from '../../office-package.ts';
import { broken, encrypted, safely } from '../../safe-reading.ts';
import { attribute, childAt, descendants, elementsOf } from '../../xml-tree.ts';
import { odtBlocks, odtNotes } from './odt-blocks.ts';
import { odtFacts } from './odt-facts.ts';
import { mathmlHtml } from './odt-formula.ts';
import { OdtStory } from './odt-story.ts';
import { OdtStyles } from './odt-styles.ts';

export const odtReader: DocumentReader = { read: (bytes, base) => safely(() => readOdt(new OfficePackage(bytes), base)) };

const CONTENT = 'content.xml';
/** Elements without text of the document. */
const OMITTED = new Set('font-face-decls tracked-changes forms binary-data desc image table-column list-level-properties'.split(' '));

function readOdt(file: OfficePackage, base: string | null): DocumentReading {
  if (isEncrypted(file)) throw encrypted();
  const { root, cut } = file.neededXml(CONTENT, OMITTED);
  const [content] = descendants(root, 'body');
  const text = elementsOf(content).find(({ name }) => name === 'text');
  if (text === undefined) throw broken('content.xml is not an OpenDocument text');
  const styles = new OdtStyles(file.optionalXml('styles.xml', OMITTED), root);
  const story = new OdtStory(base, styles, (href) => mathmlHtml(file.optionalXml(`${entryName(href, CONTENT)}/content.xml`)));
  const body = new HtmlBody();
  for (const piece of writtenBlocks(odtBlocks(story, text))) if (!body.add(piece)) break;
  body.add(odtNotes(story));
  const facts = odtFacts(file.optionalXml('meta.xml'));
  return documentOf(body, { ...facts, language: facts.language ?? story.languages.language, cut });
}

/** The manifest says which entries are encrypted (ODF 1.3 part 2 §3.4.2); or the whole package is one entry. */
function isEncrypted(file: OfficePackage): boolean {
  const entries = descendants(file.optionalXml('META-INF/manifest.xml'), 'file-entry');
  return entries.some(
    (entry) =>
      [CONTENT, 'encrypted-package'].includes(attribute(entry, 'full-path') ?? '') && childAt(entry, 'encryption-data') !== undefined,
  );
}
