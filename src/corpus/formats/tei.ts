import type { Post, RightsStatement } from '../../base/core/types.ts';
import { oneLineOf, paragraphRanges } from '../../base/text/segments.ts';
import { isMasked } from '../personal/personal-names.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { type HarvestContext, NO_FACTS, type OutputFormat } from './output-format.ts';
import { escaped, uri } from './tei-text.ts';

const FILE = 'corpus.tei.xml';
const NAMESPACE = 'http://www.tei-c.org/ns/1.0';
/** The types of `att.datable.w3c`: a year, a month, a day, or a time to the second. */
const W3C_DATE =
  /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?)?)?)?$/;
/** `teidata.language`: a tag of XML Schema's type `language`. */
const LANGUAGE = /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/;

/** The `xml:id` of the declarations of the two forms of a body. */
const STRUCTURED = 'structured';
const PARAGRAPHS = 'paragraphs';

/** TEI P5 (https://tei-c.org/guidelines/p5/): one `teiCorpus`, one `TEI` a page, with the structure of the page where its WARC record has it. */
export const tei = {
  name: 'tei',
  help: 'corpus.tei.xml: one <TEI> a page with its header, and with its headings, lists, tables, quotes and links if the source has WARC files (TEI P5)',
  copies: false,
  async open(harvest) {
    const file = await harvest.folder.file(FILE);
    const put = (text: string) => file.write(text);
    // The extractor is loaded for those who ask for TEI.
    const { TeiBodies } = await import('./tei-bodies.ts');
    const bodies = await TeiBodies.open(harvest.source, isMasked(harvest.personal));
    harvest.folder.onDiscard(() => void bodies.close());
    await put(`<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="${NAMESPACE}">\n${corpusHeader(harvest)}`);
    return {
      write: async (page) => {
        const body = await bodies.of(page);
        await put(`<TEI xml:id="${xmlId(page.id)}"${langAttribute(page.langTag ?? page.lang)}>\n${pageHeader(page)}`);
        await put(`<text decls="#${body === null ? PARAGRAPHS : STRUCTURED}">\n<body>\n`);
        await put(body ?? paragraphsIn(page.text));
        await put('</body>\n</text>\n</TEI>\n');
      },
      finish: async () => {
        await bodies.close();
        await put('</teiCorpus>\n');
        await harvest.folder.finish(FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

/** A body has at least one element. */
function paragraphsIn(text: string): string {
  const elements = Array.from(paragraphRanges(text), ([start, end]) => {
    const lines = text.slice(start, end).split('\n').map(escaped).filter(Boolean);
    return lines.length === 0 ? '' : `<p>${lines.join('\n<lb/>')}</p>\n`;
  }).filter(Boolean);
  return elements.length === 0 ? '<p/>\n' : elements.join('');
}

function corpusHeader({ crawl, now }: HarvestContext): string {
  const date = new Date(now).toISOString().slice(0, 10);
  return `<teiHeader>
<fileDesc>
<titleStmt><title>${escaped(crawl.topicName)}</title></titleStmt>
<publicationStmt><p>Harvested on <date when="${date}">${date}</date> by ${escaped(crawl.software)}.</p></publicationStmt>
<sourceDesc><p>Pages of the web, crawled for the topic. corpus-card.md describes the selection.</p></sourceDesc>
</fileDesc>
<encodingDesc>
<projectDesc><p>Main text of each page by an automatic extractor.</p></projectDesc>
<editorialDecl xml:id="${STRUCTURED}"><p>Divisions, lists, quotations, tables, preformatted text, line breaks and links are those of the page.</p></editorialDecl>
<editorialDecl xml:id="${PARAGRAPHS}" default="true"><p>A paragraph for each block of the page, with its line breaks. Its other structure is unknown.</p></editorialDecl>
</encodingDesc>
</teiHeader>
`;
}

/** The site publishes the page; the note names the reason why the page is in the corpus. */
function pageHeader({
  id,
  url,
  title,
  fetchedAt,
  lang: code,
  langTag: lang = code,
  relevance,
  modelId,
  metadata,
  rights = [],
  posts = [],
}: HarvestedPage): string {
  const { authors, siteName, published, licences, rights: declared, description } = metadata;
  const host = new URL(url).host;
  const availability = [
    ...licences.map((licence) => `<licence target="${uri(licence)}">${escaped(licence)}</licence>`),
    ...(declared === null || oneLineOf(declared) === '' ? [] : [`<p>${escaped(declared)}</p>`]),
    ...rights.filter(isAboutUse).map(({ protocol, from, statement }) => `<p>${escaped(`${protocol} (${from}): ${statement}`)}</p>`),
  ];
  const language = LANGUAGE.test(lang) ? lang : 'und';
  return `<teiHeader>
<fileDesc>
<titleStmt>
<title>${escaped(title)}</title>
${authors.map((author) => `<author>${escaped(author)}</author>\n`).join('')}</titleStmt>
<publicationStmt>
<publisher>${escaped(siteName ?? host)}</publisher>
${published === null ? '' : `${dateElement(published)}\n`}<idno type="URL">${escaped(url)}</idno>
<idno type="record">${escaped(id)}</idno>
${availability.length === 0 ? '' : `<availability>${availability.join('')}</availability>\n`}</publicationStmt>
<notesStmt><note type="relevance">${relevance}</note><note type="model">${escaped(modelId)}</note>${postNotes(posts)}</notesStmt>
<sourceDesc><bibl><ref target="${uri(url)}">${escaped(url)}</ref>, <date type="fetched" when="${escaped(fetchedAt)}">${escaped(fetchedAt)}</date></bibl></sourceDesc>
</fileDesc>
<profileDesc>
${description === null || oneLineOf(description) === '' ? '' : `<abstract><p>${escaped(description)}</p></abstract>\n`}<langUsage><language ident="${language}">${escaped(lang)}</language></langUsage>
</profileDesc>
</teiHeader>
`;
}

/** The head of each post: its number is that of its division. */
function postNotes(posts: readonly Post[]): string {
  return posts
    .map(({ author, published }, i) => {
      const name = author === null ? '' : `<name>${escaped(author)}</name>`;
      const date = published === null ? '' : dateElement(published);
      return name === '' && date === '' ? '' : `\n<note type="post" n="${i + 1}">${[name, date].filter(Boolean).join(', ')}</note>`;
    })
    .join('');
}

/** A date that XML Schema does not know stays as text. */
function dateElement(published: string): string {
  const isExact = W3C_DATE.test(published) && isDay(published.slice(0, 10));
  return `<date${isExact ? ` when="${published}"` : ''}>${escaped(published)}</date>`;
}

/** Years have no year 0 in XML Schema 1.0, and months have their own lengths. */
function isDay(date: string): boolean {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return year > 0 && new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCMonth() === month - 1;
}

/** Ids are names without colons (NCName): that of `urn:uuid:…` starts with a letter. */
function xmlId(id: string): string {
  return id.replace(/^urn:/, '').replace(/[^\w.-]/g, '-');
}

function langAttribute(lang: string): string {
  return LANGUAGE.test(lang) ? ` xml:lang="${lang}"` : '';
}

/** Licences are elements of their own. */
function isAboutUse({ protocol }: RightsStatement): boolean {
  return protocol !== 'cc' && protocol !== 'license';
}
