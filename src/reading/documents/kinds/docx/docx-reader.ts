/** Word documents of 2007 and later, Office Open XML. */
import { documentOf, HtmlBody } from '../../document-html.ts';
import type { DocumentReader, DocumentReading } from '../../document-kind.ts';
import { OfficePackage } from '../../office-package.ts';
import { broken, safely } from '../../safe-reading.ts';
import { attribute, descendants } from '../../xml-tree.ts';
import { DocxBlocks } from './docx-blocks.ts';
import { docxFacts } from './docx-facts.ts';
import { DocxNumbering } from './docx-numbering.ts';
import { linksOf, partOfType, relationshipsOf } from './docx-parts.ts';
import { type DocxNotes, DocxStory, type NoteKind } from './docx-story.ts';
import { DocxStyles } from './docx-styles.ts';

export const docxReader: DocumentReader = { read: (bytes, base) => safely(() => readDocx(new OfficePackage(bytes), base)) };

/** Properties of looks, half of a document's elements. */
const LOOKS = new Set(
  (
    'rfonts sz szcs color kern spacing jc ind tabs u shd bcs ics highlight pbdr sectpr tblpr tblgrid tcborders tcw tblborders prooferr ' +
    'lastrenderedpagebreak bookmarkstart bookmarkend commentrangestart commentrangeend pprchange rprchange tblprchange trprchange tcprchange pic'
  ).split(' '),
);

function readDocx(file: OfficePackage, base: string | null): DocumentReading {
  const ofFile = relationshipsOf(file, '');
  const main = partOfType(ofFile, 'officedocument', 'word/document.xml');
  const ofMain = relationshipsOf(file, main);
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const part = (type: string) => partOfType(ofMain, type, `${folder}${type}.xml`);
  const { root, cut } = file.neededXml(main, LOOKS);
  const [document] = descendants(root, 'body');
  if (document === undefined) throw broken(`the entry ${main.slice(0, 100)} is not a Word document`);
  const notes = (type: NoteKind) => notesOf(file, part(`${type}s`), type);
  const [styles, numbering] = [new DocxStyles(file.optionalXml(part('styles'))), new DocxNumbering(file.optionalXml(part('numbering')))];
  const story = new DocxStory(base, styles, numbering, { footnote: notes('footnote'), endnote: notes('endnote') });
  const body = new HtmlBody();
  for (const piece of new DocxBlocks(story, linksOf(file, main)).pieces(document)) if (!body.add(piece)) break;
  body.add(DocxBlocks.notesHtml(story));
  const facts = docxFacts(file, ofFile);
  return documentOf(body, { ...facts, language: facts.language ?? story.languages.language, cut });
}

/** Notes of a part, without the lines that separate them from the text. */
function notesOf(file: OfficePackage, part: string, type: NoteKind): DocxNotes {
  const notes = descendants(file.optionalXml(part, LOOKS), type).filter((note) => [null, 'normal'].includes(attribute(note, 'type')));
  return { elements: new Map(notes.map((note) => [attribute(note, 'id') ?? '', note])), links: linksOf(file, part) };
}
